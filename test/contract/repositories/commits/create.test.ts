import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { protectNoDefaultBranch } from "../../../support/fixtures/branch-protection.ts";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { checkRepository, makeProject } from "../../ci/triggers-and-pipelines/setting.ts";
import { addMember } from "../../groups-and-projects/setting.ts";
import { type Attributes, commitsOf, messageOf, projectWith } from "./setting.ts";

const world = await startWorld();
await protectNoDefaultBranch(world);
const developed = (attributes: Attributes = {}) => projectWith(world, "developer", attributes);

const action = (kind: string, file_path: string, more: Attributes = {}) => ({ action: kind, file_path, ...more });
const create = (file_path: string, content = "new") => action("create", file_path, { content });

describe("a commit of several actions", () => {
  test("is one commit, with every action in it", async () => {
    const { id, write, commit, git, files, person } = await developed();
    const first = await write({ "a.txt": "one\n", "dir/b.txt": "two\n", "run.sh": "echo\n", "old/c.txt": "three\n" });
    const answer = await commit(
      [
        create("new/d.txt", "four\n"),
        action("delete", "a.txt"),
        action("move", "moved/b.txt", { previous_path: "dir/b.txt" }),
        action("update", "old/c.txt", { content: "3\nthree\n" }),
        action("chmod", "run.sh", { execute_filemode: true }),
      ],
      { author_name: "Ines", author_email: "ines@people.example", commit_message: "Do five things\n\nAt once" },
    );
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      id: await git("rev-parse", "main"),
      parent_ids: [first],
      title: "Do five things",
      message: "Do five things\n\nAt once",
      author_name: "Ines",
      author_email: "ines@people.example",
      committer_email: person.email,
      stats: { additions: 2, deletions: 1, total: 3 },
      status: null,
      project_id: id,
      last_pipeline: null,
    });
    expect(await files()).toEqual(["100644 moved/b.txt", "100644 new/d.txt", "100644 old/c.txt", "100755 run.sh"]);
    expect(await git("show", "main:moved/b.txt")).toBe("two");
    expect(await git("show", "main:old/c.txt")).toBe("3\nthree");
    await checkRepository(world, id);
  });

  test("applies each to the result of the one before", async () => {
    const { id, write, commit, files, git } = await developed();
    await write({ "a.txt": "one\n", "d/only.txt": "x" });
    const { status } = await commit([
      action("move", "b.txt", { previous_path: "a.txt" }),
      action("update", "b.txt", { content: "two\n" }),
      create("a.txt", "again\n"),
      action("chmod", "a.txt", { execute_filemode: true }),
      action("move", "c/a.txt", { previous_path: "a.txt", content: "" }),
      action("delete", "d/only.txt"),
      create("d", "now a file\n"),
      action("delete", "b.txt"),
      create("b.txt/below", "now a folder\n"),
    ]);
    expect(status).toBe(201);
    expect(await files()).toEqual(["100644 b.txt/below", "100755 c/a.txt", "100644 d"]);
    expect(await git("cat-file", "-s", "main:c/a.txt")).toBe("0");
    await checkRepository(world, id);
  });

  test("is all or nothing", async () => {
    const { write, commit, git } = await developed();
    const first = await write({ "a.txt": "one" });
    const refused = await commit([create("b.txt"), action("update", "none.txt", { content: "x" })]);
    expect(messageOf(refused)).toEqual([400, "A file with this name doesn't exist"]);
    expect(await git("rev-parse", "main")).toBe(first);
  });

  test("may be a form, in which a key that repeats begins a new action", async () => {
    const { id, path, files, person } = await developed();
    const form = new URLSearchParams([
      ["branch", "main"],
      ["commit_message", "By a form"],
      ["actions[][action]", "create"],
      ["actions[][file_path]", "/a.txt"],
      ["actions[][content]", "b25l"],
      ["actions[][encoding]", "base64"],
      ["actions[][action]", "create"],
      ["actions[][file_path]", "b.txt"],
    ]);
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    const { status } = await world.call("POST", path, { token: person.token, raw: form.toString(), headers });
    expect(status).toBe(201);
    expect(await files()).toEqual(["100644 a.txt", "100644 b.txt"]);
    const { text } = await world.get(`/projects/${id}/repository/files/a.txt/raw`);
    expect(text).toBe("one");
  });

  test("of equal trees is a commit all the same, and stats may be left out", async () => {
    const { write, commit, git } = await developed();
    const first = await write({ "a.txt": "one" });
    const { status, body } = await commit([action("update", "a.txt", { content: "one" })], { stats: false });
    expect([status, body.parent_ids, body.stats]).toEqual([201, [first], undefined]);
    expect(await git("rev-parse", "main^{tree}")).toBe(await git("rev-parse", `${first}^{tree}`));
  });

  test("runs the CI file that it brings", async () => {
    const { commit } = await developed();
    const { body } = await commit([create(".gitlab-ci.yml", "job: {script: [echo]}\n")]);
    expect(body).toMatchObject({ status: "created", last_pipeline: { sha: body.id, ref: "main", source: "push" } });
  });

  test("leaves the files that a list of paths has after the same actions", async () => {
    const paths = ["a", "b", "c", "d/a", "d/b", "d/e/a", "d/e/b", "f/a"];
    const anyPath = fc.constantFrom(...paths, "d", "a/x", "d/e", "f");
    const anyAction = fc.oneof(
      fc.record({ action: fc.constant("create"), file_path: anyPath, content: fc.string({ maxLength: 3 }) }),
      fc.record({ action: fc.constant("update"), file_path: anyPath, content: fc.string({ maxLength: 3 }) }),
      fc.record({ action: fc.constant("delete"), file_path: anyPath }),
      fc.record({ action: fc.constant("move"), file_path: anyPath, previous_path: anyPath }),
      fc.record({ action: fc.constant("chmod"), file_path: anyPath, execute_filemode: fc.boolean() }),
    );
    const { write, commit, git } = await developed();
    await write(Object.fromEntries(paths.map((path) => [path, path])));
    const entries = async (): Promise<Entries> => {
      const listed = await git("ls-tree", "-r", "-z", "--format=%(objectmode) %(objectname) %(path)", "main");
      return new Map(listed.split("\0").filter(Boolean).map(entryOf));
    };
    let made = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(anyAction, { minLength: 1, maxLength: 5 }), async (actions) => {
        const model = await entries();
        const before = new Map(model);
        const isPossible = applyToList(model, actions);
        const { status } = await commit(actions);
        expect(status).toBe(isPossible ? 201 : 400);
        expect(await entries()).toEqual(isPossible ? model : before);
        made += Number(isPossible);
      }),
      { numRuns: 60 },
    );
    expect(made).toBeGreaterThan(0);
    expect(await git("fsck", "--strict", "--full")).not.toContain("error");
  });
});

type Entries = Map<string, { mode: string; oid: string }>;
type AnyAction = {
  action: string;
  file_path: string;
  previous_path?: string;
  content?: string;
  execute_filemode?: boolean;
};

const blobId = (content: string) => {
  const bytes = Buffer.from(content);
  return new Bun.CryptoHasher("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
};

function entryOf(line: string): [string, { mode: string; oid: string }] {
  const [mode = "", oid = "", ...path] = line.split(" ");
  return [path.join(" "), { mode, oid }];
}

/** The flat list of files that git's index is. Returns false for the first action that it does not allow. */
function applyToList(model: Entries, actions: readonly AnyAction[]): boolean {
  const isInTheWay = (path: string) =>
    [...model.keys()].some((other) => other === path || other.startsWith(`${path}/`) || path.startsWith(`${other}/`));
  for (const { action: kind, file_path, previous_path, content = "", execute_filemode } of actions) {
    const known = model.get(previous_path ?? file_path);
    if ((kind === "create") === (known !== undefined)) return false;
    if ((kind === "create" || kind === "move") && isInTheWay(file_path)) return false;
    if (previous_path !== undefined) model.delete(previous_path);
    if (kind === "delete") model.delete(file_path);
    else if (kind === "chmod") {
      model.set(file_path, { mode: execute_filemode ? "100755" : "100644", oid: known?.oid ?? "" });
    } else {
      const oid = kind === "move" ? (known?.oid ?? "") : blobId(content);
      model.set(file_path, { mode: known?.mode ?? "100644", oid });
    }
  }
  return true;
}

describe("the start of a commit", () => {
  test("is the branch itself, another branch, or a commit", async () => {
    const { id, write, git } = await developed();
    const first = await write({ "a.txt": "one" });
    const second = await write({ "b.txt": "two" });
    const onBranch = await write({ "c.txt": "three" }, { branch: "side", start_branch: "main" });
    const onCommit = await write({ "c.txt": "three" }, { branch: "older", start_sha: first });
    expect(await git("log", "--format=%P", "-1", onBranch)).toBe(second);
    expect(await git("log", "--format=%P", "-1", onCommit)).toBe(first);
    expect((await git("branch", "--format=%(refname:short)")).split("\n")).toEqual(["main", "older", "side"]);
    expect(await git("rev-parse", "main")).toBe(second);
    await checkRepository(world, id);
  });

  test("replaces a branch only with force", async () => {
    const { write, commit, git } = await developed();
    const first = await write({ "a.txt": "one" });
    await write({ "b.txt": "two" });
    for (const start of [{ start_sha: first }, { branch: "main", start_branch: "side" }]) {
      if ("start_branch" in start) await write({ "s.txt": "side" }, { branch: "side", start_branch: "main" });
      expect(messageOf(await commit([create("c.txt")], start))).toEqual([
        400,
        "A branch called 'main' already exists. Switch to that branch in order to make changes",
      ]);
    }
    const { status, body } = await commit([create("c.txt")], { start_sha: first, force: true });
    expect([status, body.parent_ids]).toEqual([201, [first]]);
    expect(await git("rev-parse", "main")).toBe(body.id);
  });

  test("is refused where there is none", async () => {
    const { write, commit } = await developed();
    const first = await write({ "a.txt": "one" });
    const refused = async (json: Attributes) => messageOf(await commit([create("b.txt")], json));
    expect(await refused({ branch: "new" })).toEqual([
      400,
      "You can only create or edit files when you are on a branch",
    ]);
    expect(await refused({ branch: "new", start_branch: "none" })).toEqual([
      400,
      "You can only create or edit files when you are on a branch",
    ]);
    expect(await refused({ branch: "new", start_sha: "1".repeat(40) })).toEqual([
      400,
      `Cannot find start_sha '${"1".repeat(40)}'`,
    ]);
    expect(await refused({ branch: "new", start_sha: first.slice(0, 7) })).toEqual([
      400,
      `Invalid start_sha '${first.slice(0, 7)}'`,
    ]);
    expect(await refused({ branch: "a b", start_branch: "main" })).toEqual([
      400,
      "Something went wrong when we tried to create 'a b' for you: Branch name is invalid",
    ]);
    expect(await refused({ start_branch: "main", start_sha: first })).toEqual([
      400,
      "400 Bad request - start_branch, start_sha are mutually exclusive",
    ]);
  });

  test("is in the project itself: no other one is in its network", async () => {
    const { id, write, commit } = await developed();
    await write({ "a.txt": "one" });
    const open = await makeProject(world, { visibility: "public" });
    const hidden = await makeProject(world);
    const at = async (start_project: unknown) =>
      messageOf(await commit([create(`f${start_project}`)], { start_project }));
    expect(await at(hidden.id)).toEqual([404, "404 Project Not Found"]);
    expect(await at(open.path_with_namespace)).toEqual([
      403,
      `403 Forbidden - Project is not included in the fork network for ${open.name_with_namespace}`,
    ]);
    expect((await at(id))[0]).toBe(201);
  });
});

describe("a commit is refused", () => {
  test("for parameters that are missing or wrong, in R's order and words", async () => {
    const { commit, git, write } = await developed();
    await write({ "a.txt": "one" });
    const before = await git("rev-parse", "main");
    const table: [unknown, string, Attributes?][] = [
      [undefined, "branch is required", { branch: undefined }],
      [undefined, "branch is required", { branch: "" }],
      [undefined, "commit_message is required", { commit_message: undefined }],
      [undefined, "actions is required", { actions: undefined }],
      [[], "actions is required"],
      [[{ file_path: "x" }], "actions[0][action] is required"],
      [[create("x"), { action: "create" }], "actions[1][file_path] is required"],
      [[action("copy", "x")], "actions[0][action] must be one of: create, update, move, delete, chmod"],
      [[action("update", "a.txt")], "actions[0][content] is required for update action"],
      [[action("move", "b.txt")], "actions[0][previous_path] is required for move action"],
      [[action("create", "b.txt", { encoding: "gzip" })], "actions[0][encoding] must be text or base64"],
      [[action("chmod", "a.txt")], "actions[0][execute_filemode] is required for chmod action"],
    ];
    for (const [actions, reason, json] of table) {
      const answer = await commit((actions as object[]) ?? [create("b.txt")], json);
      expect(messageOf(answer)).toEqual([400, `400 Bad request - ${reason}`]);
    }
    expect((await commit("x" as unknown as object[])).body.error).toBe("actions is invalid");
    const broken = await commit([action("create", "b", { content: "é!", encoding: "base64" })]);
    expect([broken.status, broken.body.error]).toEqual([400, "content is invalid"]);
    expect(await git("rev-parse", "main")).toBe(before);
  });

  test("whose content is null in an update: it is none", async () => {
    const { write, commit, git } = await developed();
    await write({ "a.txt": "one" });
    expect((await commit([action("update", "a.txt", { content: null })])).status).toBe(201);
    expect(await git("cat-file", "-s", "main:a.txt")).toBe("0");
  });

  test("for what is at a path, or is not", async () => {
    const { write, commit } = await developed();
    await write({ "a.txt": "one", "d/b.txt": "two" });
    const refused = async (...actions: object[]) => (await commit(actions)).body.message;
    const [isFile, isFolder, isMissing] = [
      "A file with this name already exists",
      "A directory with this name already exists",
      "A file with this name doesn't exist",
    ];
    expect(await refused(create("a.txt"))).toBe(isFile);
    expect(await refused(create("a.txt/b"))).toBe(isFile);
    expect(await refused(create("d"))).toBe(isFolder);
    expect(await refused(action("move", "a.txt", { previous_path: "d/b.txt" }))).toBe(isFile);
    expect(await refused(action("move", "x", { previous_path: "d" }))).toBe(isMissing);
    for (const kind of ["update", "delete", "chmod"]) {
      const more = { content: "x", execute_filemode: true };
      expect(await refused(action(kind, "none", more))).toBe(isMissing);
      expect(await refused(action(kind, "d", more))).toBe(isMissing);
    }
    expect(await refused(create("../x"))).toBe("Path cannot include directory traversal");
    expect(await refused(create("d//x"))).toBe("invalid path: 'd//x'");
    expect(await refused(create(".git/config"))).toBe("invalid path: '.git/config'");
    expect(await refused(create(`${"x/".repeat(70)}y`))).toContain("may have at most 64 folders");
  });

  test("when a file was changed since the caller saw it", async () => {
    const { write, commit } = await developed();
    const first = await write({ "a.txt": "one", "b.txt": "two" });
    const { body } = await commit([action("update", "a.txt", { content: "1", last_commit_id: first })]);
    for (const [kind, more] of [
      ["update", { content: "2" }],
      ["delete", {}],
    ] as const) {
      expect(messageOf(await commit([action(kind, "a.txt", { ...more, last_commit_id: first })]))).toEqual([
        400,
        "The file has changed since you started editing it: a.txt",
      ]);
    }
    const move = { previous_path: "a.txt", last_commit_id: first };
    expect((await commit([action("move", "c.txt", move)])).body.message).toContain("editing it: a.txt");
    expect((await commit([action("delete", "b.txt", { last_commit_id: first })])).status).toBe(201);
    expect((await commit([action("delete", "a.txt", { last_commit_id: body.id })])).status).toBe(201);
  });

  test("by the rules of protected branches, before its parameters are looked at", async () => {
    const { id, write, commit, path } = await developed();
    const first = await write({ "a.txt": "one" });
    await write({ "b.txt": "two" });
    const protect = (name: string, push_access_level: number, allow_force_push = false) =>
      world.call("POST", `/projects/${id}/protected_branches`, {
        token: rootToken,
        json: { name, push_access_level, allow_force_push },
      });
    expect((await protect("main", 40)).status).toBe(201);
    const refused = [403, "403 Forbidden - You are not allowed to push into this branch"];
    expect(messageOf(await commit([create("c.txt")]))).toEqual(refused);
    expect(messageOf(await commit([], { commit_message: "" }))).toEqual(refused);
    const asRoot = commitsOf(world, id);
    expect((await asRoot.commit([create("c.txt")])).status).toBe(201);
    expect(messageOf(await asRoot.commit([create("d.txt")], { start_sha: first, force: true }))).toEqual([
      400,
      "You are not allowed to force push code to a protected branch on this project.",
    ]);
    expect((await protect("free", 30, true)).status).toBe(201);
    expect((await commit([create("d.txt")], { branch: "free", start_branch: "main" })).status).toBe(201);
    expect((await commit([create("d.txt")], { branch: "free", start_sha: first, force: true })).status).toBe(201);
    const reporter = await world.user();
    addMember(world, { id }, reporter, "reporter", "project");
    const json = { branch: "x", commit_message: "x", actions: [create("x")] };
    expect((await world.call("POST", path, { token: reporter.token, json })).status).toBe(403);
    expect((await world.call("POST", path, { json })).status).toBe(401);
    await world.call("POST", `/projects/${id}/archive`, { token: rootToken });
    expect((await commit([create("y")])).status).toBe(403);
  });
});
