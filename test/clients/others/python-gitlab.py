"""Drives python-gitlab against the server at HOST with the administrator's TOKEN, and prints what it saw."""

import json
import os

import gitlab

host, token = os.environ["HOST"], os.environ["TOKEN"]
gl = gitlab.Gitlab(host, private_token=token)
seen = {"version": gitlab.__version__}


def refusal(call):
    """What a call is refused with."""
    try:
        return {"accepted": str(call())}
    except gitlab.GitlabError as error:
        return {"name": type(error).__name__, "status": error.response_code, "message": error.error_message}


def names(users):
    return [user.username for user in users]


def new_user(username, **more):
    return {
        "email": f"{username}@skylark.example",
        "username": username,
        "name": f"{username.capitalize()} Skylark",
        "force_random_password": True,
        **more,
    }


gl.auth()
seen["current_user"] = gl.user.attributes
seen["server_version"] = gl.version()
seen["metadata"] = gl.http_get("/metadata")

# Creating and showing
mara = gl.users.create(new_user("mara", bio="Sails, “æther” & 漢字", skip_confirmation=True, projects_limit=7))
seen["created"] = mara.attributes
for count in range(1, 46):
    gl.users.create(new_user(f"crew{count:02}"))
seen["with_password"] = gl.users.create(
    {"email": "ines@skylark.example", "username": "ines", "name": "Inès Moreau", "password": "a long password 17"}
).attributes["name"]
seen["shown"] = gl.users.get(mara.id).attributes
seen["lazy"] = gl.users.get(mara.id, lazy=True).get_id()

# Lists
seen["first_page"] = names(gl.users.list())
seen["all"] = names(gl.users.list(all=True))
seen["iterator"] = names(gl.users.list(iterator=True, per_page=7, order_by="id", sort="asc"))
seen["keyset"] = names(gl.users.list(pagination="keyset", order_by="id", sort="asc", per_page=7, iterator=True))
seen["keyset_all"] = names(gl.users.list(pagination="keyset", order_by="name", sort="asc", per_page=10, all=True))
seen["page"] = names(gl.users.list(page=2, per_page=5, order_by="id", sort="asc"))
paged = gl.users.list(iterator=True, per_page=10)
seen["paged"] = [len(paged), paged.total, paged.total_pages, paged.per_page, paged.current_page, paged.next_page]
kept = gitlab.Gitlab(host, private_token=token, pagination="keyset", order_by="id", per_page=20)
seen["keyset_client"] = names(kept.users.list(all=True))

# Filters; booleans travel as True and False
seen["by_username"] = names(gl.users.list(username="MARA"))
seen["by_search"] = names(gl.users.list(search="crew0", order_by="username", sort="asc"))
seen["active"] = len(gl.users.list(active=True, external=False, all=True))
seen["blocked"] = names(gl.users.list(blocked=True))
seen["created_after"] = names(gl.users.list(created_after="2999-01-01T00:00:00Z"))

# Issue statistics
acme = gl.groups.create({"name": "Acme", "path": "acme", "visibility": "public"})
place = gl.projects.create({"name": "Van", "namespace_id": acme.id, "visibility": "public"})
for title, labels in [("Wheels squeak", "bug,ui"), ("Doors, too", "bug")]:
    place.issues.create({"title": title, "labels": labels, "assignee_ids": [mara.id]})
seen["statistics"] = [
    each.statistics["counts"]["all"]
    for each in (
        gl.issues_statistics.get(),
        gl.issues_statistics.get(scope="assigned_to_me"),
        acme.issues_statistics.get(),
        place.issues_statistics.get(labels=["bug", "ui"]),
        place.issues_statistics.get(**{"iids[]": [1, 2, 3]}),
        place.issues_statistics.get(iids=[1, 3]),
        place.issues_statistics.get(assignee_username=["root", "mara"]),
        place.issues_statistics.get(search="squeak", created_after="2020-01-01T00:00:00Z"),
    )
]

# Tokens
seen["token"] = gl.http_post(
    f"/users/{mara.id}/personal_access_tokens", post_data={"name": "laptop", "scopes": ["api"]}
)
made = mara.personal_access_tokens.create({"name": "phone", "scopes": ["read_user"]})
seen["second_token"] = made.attributes
seen["tokens"] = [each.name for each in gl.personal_access_tokens.list(user_id=mara.id)]
seen["tokens_raw"] = [each["name"] for each in gl.http_list("/personal_access_tokens", {"user_id": mara.id})]
by_token = gitlab.Gitlab(host, private_token=seen["token"]["token"])
by_token.auth()
seen["as_mara"] = by_token.user.username
by_bearer = gitlab.Gitlab(host, oauth_token=seen["token"]["token"])
by_bearer.auth()
seen["by_bearer"] = by_bearer.user.username
seen["own_token"] = by_token.http_get("/personal_access_tokens/self")["name"]
seen["sudo"] = gl.http_get("/user", sudo="mara")["username"]

# Refusals
nobody = gitlab.Gitlab(host)
reader = gitlab.Gitlab(host, private_token=made.token)
seen["refused"] = {
    "unknown_user": refusal(lambda: gl.users.get(987654)),
    "email_taken": refusal(lambda: gl.users.create(new_user("other", email="MARA@skylark.example"))),
    "username_taken": refusal(lambda: gl.users.create(new_user("Mara", email="other@skylark.example"))),
    "missing": refusal(lambda: gl.users.create({"username": "nobody"})),
    "bad_order": refusal(lambda: gl.users.list(order_by="shoe_size")),
    "bad_token": refusal(lambda: gitlab.Gitlab(host, private_token="no-such-token-at-all").auth()),
    "anonymous": refusal(lambda: nobody.users.list()),
    "not_administrator": refusal(lambda: by_token.users.create(new_user("nobody"))),
    "scope_too_small": refusal(lambda: reader.http_post("/users", post_data=new_user("nobody"))),
    "sudo_by_others": refusal(lambda: by_token.http_get("/user", sudo="root")),
}

# Feature flags: the client doubles the slash before a name
flag = gl.features.set("new_search", True, user="root")
gl.features.set("new_list", 30, key="percentage_of_actors")
seen["features"] = {
    "set": flag.attributes,
    "listed": [(each.name, each.state) for each in gl.features.list()],
    "refused": refusal(lambda: gl.features.set("new_search", True, user="nobody")),
    "not_administrator": refusal(lambda: by_token.features.list()),
}
gl.features.delete("new_search")
seen["features"]["left"] = [each.name for each in gl.features.list()]

# Runners: registered with the token of a project, and lent to another one
ledger, bills = (gl.projects.create({"name": name}) for name in ("Ledger", "Bills"))
registering = {"token": gl.projects.get(ledger.id).runners_token, "description": "old", "tag_list": "a,b", "info": {}}
runner = gl.runners.get(gl.runners.create({**registering, "active": True, "run_untagged": False}).id)
runner.active = False
runner.tag_list = ["c"]
runner.save()
bills.runners.create({"runner_id": runner.id})
seen["runners"] = {
    "saved": [runner.active, runner.paused, runner.tag_list],
    "listed": [each.id == runner.id for each in gl.runners.list(scope="paused", tag_list=["c"])],
    "lent": [each.description for each in bills.runners.list(scope="specific", tag_list=["c"])],
    "jobs": len(runner.jobs.list(status="running")),
    "verified": refusal(lambda: gl.runners.verify("nobody's")),
}
bills.runners.delete(runner.id)
gl.runners.delete(runner.id)
seen["runners"]["left"] = gl.runners.all(scope="specific")

# The end of tokens
gl.personal_access_tokens.delete(made.id)
seen["after_delete"] = refusal(reader.auth)
by_token.http_delete("/personal_access_tokens/self")
seen["after_self_delete"] = refusal(by_token.auth)

print(json.dumps(seen))
