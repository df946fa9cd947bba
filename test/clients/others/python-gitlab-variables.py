"""Sets CI variables with python-gitlab at HOST with the administrator's TOKEN, and prints what it saw."""

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


project = gl.projects.create({"name": "Vars"})
group = gl.groups.create({"name": "Fleet", "path": "fleet"})

for name, place in {"project": project, "group": group, "instance": gl}.items():
    place.variables.create({"key": "K", "value": "v"})
    variable = place.variables.get("K")
    variable.value = "w"
    variable.save()
    seen[name] = [place.variables.get("K").value, [each.key for each in place.variables.list()]]
    variable.delete()
    seen[name + "_gone"] = refusal(lambda: place.variables.get("K"))

project.variables.create({"key": "H", "value": "secret_value", "masked_and_hidden": True})
hidden = project.variables.get("H")
hidden.description = "d"
hidden.save()
seen["hidden"] = [project.variables.get("H").value, project.variables.get("H").description]

for scope in ("a", "b"):
    project.variables.create({"key": "S", "value": "1", "environment_scope": scope})
seen["ambiguous"] = refusal(lambda: project.variables.get("S"))
project.variables.update("S", {"value": "2", "filter": {"environment_scope": "b"}})
seen["scoped"] = project.variables.get("S", filter={"environment_scope": "b"}).value
project.variables.delete("S", filter={"environment_scope": "a"})
seen["left"] = project.variables.get("S").environment_scope

print(json.dumps(seen))
