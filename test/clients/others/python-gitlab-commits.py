"""Commits, compares, picks and comments with python-gitlab at HOST with the administrator's TOKEN, and prints what it saw."""

import base64
import io
import json
import os
import zipfile

import gitlab

gl = gitlab.Gitlab(os.environ["HOST"], private_token=os.environ["TOKEN"])
seen = {}


def refusal(call):
    """What a call is refused with."""
    try:
        return {"accepted": str(call())}
    except gitlab.GitlabError as error:
        return {"name": type(error).__name__, "status": error.response_code, "body": json.loads(error.response_body)}


def numbered(count, changed={}):
    return "".join(f"{changed.get(number, number)}\n" for number in range(count))


project = gl.projects.create({"name": "Ledger"})


def commit(actions, **attributes):
    data = {"branch": "main", "commit_message": "Change", "actions": actions, **attributes}
    return project.commits.create(data)


first = commit([{"action": "create", "file_path": path, "content": numbered(20)} for path in ["a", "b", "c", "d"]])
five = commit(
    [
        {"action": "create", "file_path": "new/e", "content": "e\n"},
        {"action": "update", "file_path": "a", "content": numbered(20, {2: "two"})},
        {"action": "move", "file_path": "moved/b", "previous_path": "b"},
        {"action": "delete", "file_path": "c"},
        {"action": "chmod", "file_path": "d", "execute_filemode": True},
    ]
)
dev = commit(
    [{"action": "update", "file_path": "a", "content": numbered(20, {2: "two", 15: "fifteen"})}],
    branch="dev",
    start_branch="main",
    commit_message="Change 15\n\nChangelog: fixed",
)

# Reading
seen["listed"] = [each.id for each in project.commits.list(ref_name="main", with_stats=True, all=True)] == [five.id, first.id]
seen["diff"] = sorted((each["old_path"], each["new_path"]) for each in five.diff())
seen["refs"] = sorted(each["name"] for each in five.refs("branch"))
seen["signature"] = refusal(five.signature)
compared = project.repository_compare("main", "dev")
seen["compared"] = [[each["id"] for each in compared["commits"]] == [dev.id], [each["new_path"] for each in compared["diffs"]]]
seen["base"] = project.repository_merge_base(["main", "dev"])["id"] == five.id
seen["contributors"] = [each["commits"] for each in project.repository_contributors()]
blob = [each["id"] for each in project.repository_tree() if each["path"] == "a"][0]
seen["blob"] = base64.b64decode(project.repository_blob(blob)["content"]) == project.repository_raw_blob(blob)
archive = zipfile.ZipFile(io.BytesIO(project.repository_archive(format="zip")))
seen["archive"] = sorted(name.split("/", 1)[1] for name in archive.namelist() if not name.endswith("/"))
seen["blame"] = [len(each["lines"]) for each in project.files.blame("a", "dev")]

# Comments and statuses
on_line = {"note": "x", "path": "a", "line": 3, "line_type": "new"}
comment = five.comments.create(on_line)
seen["comment"] = [comment.path, comment.line, comment.line_type]
seen["comments"] = [each.note for each in five.comments.list()]
discussion = five.discussions.create({"body": "Why?"})
discussion.notes.create({"body": "Because"})
seen["discussions"] = [[note["body"] for note in each.attributes["notes"]] for each in five.discussions.list()]
running = five.statuses.create({"state": "running", "name": "lint"})
seen["statuses"] = [running.id == five.statuses.create({"state": "success", "name": "lint"}).id, len(five.statuses.list())]

# Picks
dev.cherry_pick("main")
seen["picked"] = project.commits.get("main").title
seen["picked_again"] = refusal(lambda: dev.cherry_pick("main"))
project.commits.get("main").revert("main")
seen["reverted"] = project.commits.get("main").title

print(json.dumps(seen))
