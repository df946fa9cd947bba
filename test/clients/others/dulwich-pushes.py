"""Clones, fetches and pushes with dulwich at REMOTE, which is empty at first, and prints what it saw."""

import io
import json
import os
import tempfile

from dulwich import porcelain
from dulwich.repo import Repo

remote = os.environ["REMOTE"]
folder = tempfile.mkdtemp(dir=os.environ["FOLDER"])
seen = {}


def quiet():
    return open(os.devnull, "wb")


def commit(repo, name, text):
    with open(os.path.join(repo.path, name), "w") as file:
        file.write(text)
    porcelain.add(repo, [os.path.join(repo.path, name)])
    return porcelain.commit(repo, message=b"Change", author=b"Ann <ann@x.example>", committer=b"Ann <ann@x.example>")


def push(repo, *refspecs, **options):
    """What dulwich says to people."""
    said = io.BytesIO()
    porcelain.push(repo, remote, list(refspecs), outstream=quiet(), errstream=said, **options)
    return said.getvalue().decode()


def refs():
    """What the server lists, without HEAD."""
    listed = porcelain.ls_remote(remote)
    return {name.decode(): oid.decode() for name, oid in listed.items() if name != b"HEAD"}


def clone(name, **options):
    return porcelain.clone(remote, os.path.join(folder, name), errstream=quiet(), **options)


def history(repo, tip):
    return [entry.commit.id for entry in repo.get_walker([tip])]


def raised(call):
    try:
        call()
        return "nothing"
    except Exception as error:  # dulwich has an error of its own for each way to fail
        return type(error).__name__


seen["empty"] = refs()
work = porcelain.init(os.path.join(folder, "work"))
work.refs.set_symbolic_ref(b"HEAD", b"refs/heads/main")
oids = [commit(work, f"f{at}.txt", f"content {at}\n" * 200) for at in range(6)]
push(work, "refs/heads/main:refs/heads/main")
seen["pushed"] = refs() == {"refs/heads/main": oids[-1].decode()}

other = clone("other")
seen["cloned"] = history(other, other.head()) == list(reversed(oids))
seen["file"] = open(os.path.join(other.path, "f5.txt")).read() == "content 5\n" * 200

late = commit(work, "late.txt", "late\n")
push(work, "refs/heads/main:refs/heads/main")
fetched = porcelain.fetch(other, remote, outstream=quiet(), errstream=quiet())
seen["fetched"] = fetched.refs[b"refs/heads/main"] == late and late in other

porcelain.tag_create(work, b"v1", author=b"Ann <ann@x.example>", message=b"first", annotated=True, objectish=oids[2])
porcelain.tag_create(work, b"light", objectish=oids[1])
push(work, "refs/tags/v1:refs/tags/v1", "refs/tags/light:refs/tags/light")
listed = refs()
seen["tags"] = [listed["refs/tags/v1^{}"] == oids[2].decode(), listed["refs/tags/light"] == oids[1].decode()]

porcelain.branch_create(work, b"side")
push(work, "refs/heads/side:refs/heads/side")
work.refs[b"refs/heads/side"] = oids[3]
seen["not_forced"] = raised(lambda: push(work, "refs/heads/side:refs/heads/side"))
push(work, "+refs/heads/side:refs/heads/side", force=True)
seen["forced"] = refs()["refs/heads/side"] == oids[3].decode()
push(work, ":refs/heads/side")
seen["deleted"] = "refs/heads/side" in refs()
seen["declined"] = "Push of ref refs/heads/main failed: pre-receive hook declined" in push(work, ":refs/heads/main")
seen["kept"] = refs()["refs/heads/main"] == late.decode()

shallow = clone("shallow", depth=2)
seen["shallow"] = [len(history(shallow, shallow.head())), len(shallow.get_shallow())]
top = commit(shallow, "top.txt", "top\n")
push(shallow, "refs/heads/main:refs/heads/main")
seen["pushed_from_shallow"] = refs()["refs/heads/main"] == top.decode()

wrong = remote.replace("://x:", "://x:wrong-")
seen["wrong_token"] = raised(lambda: porcelain.ls_remote(wrong))
print(json.dumps(seen))
