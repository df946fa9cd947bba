"""Prints the calls of each method of python-gitlab, as {manager: {method: ["GET /path", …]}}. Nothing is sent."""

import inspect
import json
import re

import gitlab
import gitlab.mixins
import gitlab.v4.objects as objects
from gitlab.base import RESTManager, RESTObject
from gitlab.types import RequiredOptional

calls = []


class Answer:
    """Of every call: an object and a list at once is not possible, so a list that is looked up by name, too."""

    content = b""
    status_code = 200
    headers = {}

    def json(self):
        return {"id": 1}


def record(_self, verb, path, *_args, **_kwargs):
    calls.append(f"{verb.upper()} {path.removeprefix('http://x/api/v4')}")
    return Answer()


gitlab.Gitlab.http_request = record
client = gitlab.Gitlab("http://x", private_token="x")

# What a subclass of these has, it did not define itself.
bases = (RESTManager, RESTObject, object)
attributes = {name: "x" for name in ("id", "iid", "name", "path", "username", "file_path", "key")}


def calls_of(instance, name, own):
    """What a method sends with "x" for each argument that it needs, and as the id."""
    method = getattr(instance, name)
    needs_id = not isinstance(instance, gitlab.mixins.GetWithoutIdMixin)
    given = {}
    for key, parameter in inspect.signature(method).parameters.items():
        needs = parameter.default is parameter.empty or key in ("data", "new_data") or (key == "id" and needs_id)
        if needs and parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            given[key] = own.get(key, "x")
    del calls[:]
    try:
        result = method(**given)
        if inspect.isgenerator(result):
            list(result)
    except Exception:  # The answer is not what the method expects; the call stands.
        pass
    return sorted(set(calls))


def method_names(instance):
    """The public methods, without those of the library's bases."""
    for name, _ in inspect.getmembers(instance, inspect.ismethod):
        if not name.startswith("_") and not any(name in vars(base) for base in bases):
            yield name


def required_data(attrs):
    """A body with whatever the manager demands."""
    return {name: "x" for name in (*attrs.required, *attrs.exclusive[:1])}


found = {}
for name, manager_class in sorted(vars(objects).items()):
    if not (inspect.isclass(manager_class) and issubclass(manager_class, RESTManager)):
        continue
    if manager_class is RESTManager or not getattr(manager_class, "_path", None):
        continue

    def new_manager():
        manager = manager_class(client)
        manager._computed_path = re.sub(r"{\w+}", "x", manager_class._path)
        return manager

    manager = new_manager()
    own = {
        "data": required_data(getattr(manager, "_create_attrs", RequiredOptional())),
        "new_data": required_data(getattr(manager, "_update_attrs", RequiredOptional())),
    }
    methods = {each: calls_of(new_manager(), each, own) for each in method_names(manager) if each != "head"}
    thing = manager_class._obj_cls
    if thing is not None:
        for each in method_names(thing(manager, dict(attributes))):
            if each not in ("save", "delete") and each not in methods:
                methods[each] = calls_of(thing(new_manager(), dict(attributes)), each, own)
    found[name] = methods

print(json.dumps({"version": gitlab.__version__, "calls": found}))
