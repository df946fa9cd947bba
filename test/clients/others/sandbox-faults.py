"""Drives python-gitlab against a sandbox whose rules for faults the test has set, and prints what it saw."""

import json
import os

import gitlab

gl = gitlab.Gitlab(os.environ["HOST"], private_token=os.environ["TOKEN"], retry_transient_errors=True)
faults = f"{gl.url}/-/sandbox/faults"
seen = {}


def outcome(call):
    """The result of a call, or the status that refused it."""
    try:
        call()
        return "done"
    except gitlab.GitlabError as error:
        return error.response_code


def fault(effect, method):
    gl.http_post(faults, post_data={"match": {"method": method}, "effect": effect, "times": 1})


def hits():
    """The requests that the rules hit, which are forgotten then."""
    count = sum(rule["hits"] for rule in gl.http_get(faults))
    gl.http_delete(faults)
    return count


project = gl.projects.create({"name": "faults"})
member = gl.users.create(
    {"email": "kofi@skylark.example", "username": "kofi", "name": "Kofi", "force_random_password": True}
)

for name, effect in {
    "429": {"code": 429},
    "500": {"code": 500},
    "502": {"code": 502},
    "503": {"code": 503},
    "504": {"code": 504},
    "404": {"code": 404},
    "drop": {"drop": True},
    "late": {"wait_ms": 50, "jitter_ms": 50},
    "slow": {"bytes_per_second": 20_000},
    "cut": {"truncate_after": 20},
}.items():
    fault(effect, "GET")
    result = outcome(lambda: gl.projects.get(project.id))
    seen[name] = [result, hits()]

# The same change twice leaves the project as after the first.
fault({"apply_then_drop": True}, "PUT")
project.description = "changed twice"
result = outcome(project.save)
seen["update"] = [result, hits(), gl.projects.get(project.id).description]

fault({"apply_then_drop": True}, "POST")
result = outcome(lambda: project.members.create({"user_id": member.id, "access_level": 30}))
seen["member"] = [result, hits(), [each.username for each in project.members.list(get_all=True)]]

fault({"apply_then_drop": True}, "POST")
result = outcome(lambda: project.labels.create({"name": "bug", "color": "#aa0000"}))
seen["label"] = [result, hits(), [each.name for each in project.labels.list(get_all=True)]]

fault({"apply_then_drop": True}, "POST")
result = outcome(project.star)
seen["star"] = [result, hits(), gl.projects.get(project.id).star_count]

fault({"apply_then_drop": True}, "DELETE")
result = outcome(lambda: project.labels.delete("bug"))
seen["delete"] = [result, hits(), len(project.labels.list(get_all=True))]

print(json.dumps(seen))
