"""Protects branches and tags with python-gitlab at HOST with the administrator's TOKEN, and prints what it saw."""

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


def levels(rows):
    return [row["access_level"] for row in rows]


project = gl.projects.create({"name": "Ledger", "initialize_with_readme": True})
mara = gl.users.create(
    {"email": "mara@skylark.example", "username": "mara", "name": "Mara", "force_random_password": True}
)
project.members.create({"user_id": mara.id, "access_level": 30})
by_mara = gitlab.Gitlab(host, private_token=mara.personal_access_tokens.create({"name": "laptop", "scopes": ["api"]}).token)
hers = by_mara.projects.get(project.id)

# Branches
stable = project.protectedbranches.create({"name": "*-stable", "push_access_level": 30, "merge_access_level": 40})
seen["created"] = [stable.name, levels(stable.push_access_levels), levels(stable.merge_access_levels)]
seen["shown"] = project.protectedbranches.get("*-stable").name
seen["listed"] = [rule.name for rule in project.protectedbranches.list()]
seen["searched"] = [rule.name for rule in project.protectedbranches.list(search="stab")]
path = f"/projects/{project.id}/protected_branches/%2A-stable"
gl.http_request("patch", path, post_data={"allow_force_push": True})
seen["saved"] = project.protectedbranches.get("*-stable").allow_force_push
seen["taken"] = refusal(lambda: project.protectedbranches.create({"name": "*-stable"}))
stable.delete()
seen["left"] = [rule.name for rule in project.protectedbranches.list()]
project.protectedbranches.delete("main")
main = project.protectedbranches.create({"name": "main", "allowed_to_push": [{"user_id": 1}]})
seen["user"] = [row["access_level_description"] for row in main.push_access_levels]

# What protection means
commit = {"branch": "main", "commit_message": "Change", "content": "x", "file_path": "a.txt"}
seen["file"] = refusal(lambda: hers.files.create(commit))
seen["run"] = refusal(lambda: hers.pipelines.create({"ref": "main"}))

# Tags
rule = project.protectedtags.create({"name": "v*", "create_access_level": 40})
seen["tag_rule"] = [rule.name, levels(rule.create_access_levels)]
seen["tag_rules"] = [each.name for each in project.protectedtags.list()]
seen["tag_taken"] = refusal(lambda: project.protectedtags.create({"name": "v*"}))
seen["tag"] = refusal(lambda: hers.tags.create({"tag_name": "v1", "ref": "main"}))
project.protectedtags.delete("v*")
seen["tag_later"] = hers.tags.create({"tag_name": "v1", "ref": "main"}).name

# Merged branches
project.branches.create({"branch": "old", "ref": "main"})
project.files.create(commit)
seen["tidied"] = refusal(project.delete_merged_branches)
seen["stats"] = project.commits.get("main").stats

print(json.dumps(seen))
