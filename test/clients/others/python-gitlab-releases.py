"""Makes releases with python-gitlab at HOST with the administrator's TOKEN, and prints what it saw."""

import json
import os

import gitlab

host, token = os.environ["HOST"], os.environ["TOKEN"]
gl = gitlab.Gitlab(host, private_token=token)
seen = {}


def refusal(call):
    """What a call is refused with."""
    try:
        return {"accepted": str(call())}
    except gitlab.GitlabError as error:
        return {"name": type(error).__name__, "status": error.response_code, "message": error.error_message}


group = gl.groups.create({"name": "Tools", "path": "tools"})
project = gl.projects.create({"name": "Ledger", "namespace_id": group.id, "initialize_with_readme": True})
project.milestones.create({"title": "Spring"})
links = [{"name": "linux", "url": "https://files.example.com/linux", "link_type": "package"}]
made = project.releases.create(
    {
        "tag_name": "v1/0",
        "name": "One",
        "description": "The first",
        "ref": "main",
        "milestones": ["Spring"],
        "assets": {"links": links},
    }
)
seen["made"] = [made.tag_name, made.name, made.milestones[0]["title"], made.assets["count"]]
seen["taken"] = refusal(lambda: project.releases.create({"tag_name": "v1/0", "description": ""}))
project.releases.create({"tag_name": "v2", "ref": "main", "description": "The second"})
seen["listed"] = [each.tag_name for each in project.releases.list(order_by="created_at", sort="asc")]
release = project.releases.get("v1/0")
release.description = "The very first"
release.save()
seen["tag"] = project.tags.get("v1/0").release["description"]

link = release.links.create({"name": "mac", "url": "https://files.example.com/mac", "filepath": "/bin/mac"})
seen["link"] = [link.name, link.direct_asset_url[len(host) :]]
link.name = "macOS"
link.save()
seen["links"] = [each.name for each in release.links.list()]
seen["shown"] = release.links.get(link.id).name
link.delete()
seen["left"] = [each.name for each in release.links.list()]
seen["of_group"] = sorted(each["tag_name"] for each in gl.http_list(f"/groups/{group.id}/releases"))

uploaded = project.upload("notes.md", filedata=b"# Notes")
seen["uploaded"] = [uploaded["alt"], gl.http_get(f"/projects/{project.id}/uploads")[0]["size"]]

project.releases.delete("v1/0")
seen["gone"] = refusal(lambda: project.releases.get("v1/0"))
seen["kept"] = project.tags.get("v1/0").release

print(json.dumps(seen))
