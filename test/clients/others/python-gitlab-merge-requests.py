"""Works on merge requests with python-gitlab at HOST with the administrator's TOKEN, and prints what it saw."""

import json
import os

import gitlab

gl = gitlab.Gitlab(os.environ["HOST"], private_token=os.environ["TOKEN"])
seen = {}


def refusal(act):
    try:
        act()
    except gitlab.GitlabError as error:
        return {"name": type(error).__name__, "status": error.response_code}
    return None


group = gl.groups.create({"name": "Acme", "path": "acme"})
project = gl.projects.create({"name": "Van", "namespace_id": group.id, "initialize_with_readme": True})


def branch(name):
    action = {"action": "create", "file_path": f"{name}.txt", "content": "new\n"}
    message = {"branch": name, "start_branch": "main", "commit_message": f"Add {name}", "actions": [action]}
    project.commits.create(message)
    return project.mergerequests.create({"source_branch": name, "target_branch": "main", "title": f"Add {name}"})


mr = branch("roof")
mr.title = "Mend the roof"
mr.labels = ["bug"]
mr.save()
seen["saved"] = [mr.title, mr.labels, project.mergerequests.get(mr.iid).changes_count]
seen["listed"] = [len(gl.mergerequests.list(scope="all")), len(group.mergerequests.list(state="opened"))]
seen["commits"] = [commit.title for commit in mr.commits()]
seen["changes"] = [change["new_path"] for change in mr.changes()["changes"]]
seen["diffs"] = [version.state for version in mr.diffs.list()]
seen["participants"] = [user["username"] for user in mr.participants()]
note = mr.notes.create({"body": "Nice"})
note.awardemojis.create({"name": "rocket"})
seen["note"] = [mr.notes.get(note.id).body, note.awardemojis.list()[0].name]
mr.time_estimate("3h")
mr.add_spent_time("1h")
seen["time"] = project.mergerequests.get(mr.iid).time_stats()["total_time_spent"]
seen["approvals"] = mr.approvals.get().approved_by
seen["own_work"] = refusal(lambda: mr.approve())

message = "A long message\n\n" + "x" * 15_000
mr.merge(merge_commit_message=message, should_remove_source_branch=True)
seen["merged"] = [mr.state, project.commits.get("main").message == message]
seen["branch"] = refusal(lambda: project.branches.get("roof"))
seen["again"] = refusal(lambda: mr.merge())

squashed = branch("floor")
squashed.merge(squash=True)
seen["squashed"] = [squashed.state, squashed.squash_commit_sha is not None]

closed = branch("door")
closed.state_event = "close"
closed.save()
seen["closed"] = [closed.state, len(project.mergerequests.list(state="closed"))]
closed.delete()
seen["deleted"] = refusal(lambda: project.mergerequests.get(closed.iid))

print(json.dumps(seen))
