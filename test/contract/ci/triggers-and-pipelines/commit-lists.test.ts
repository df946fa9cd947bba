import { describe, expect, test } from "bun:test";
import { branchPrefix, TreeEdit } from "../../../../src/git/index.ts";
import { projects } from "../../../../src/modules/groups-and-projects/projects/records.ts";
import { placeOf } from "../../../../src/modules/repositories/repositories/index.ts";
import { type Json, startWorld } from "../../../support/fixtures/world.ts";
import { folderOf, git, makeProject } from "./setting.ts";

const world = await startWorld();
const { id, default_branch: main } = await makeProject(world, { initialize_with_readme: true });
const first = Math.floor(world.clock.now() / 1000) + 60;
const authors = [
  { name: "Ada Byron", email: "ada@people.example" },
  { name: "Grace", email: "grace@navy.example" },
];

interface Planned {
  /** Also the message, and the name of the branch at it. */
  readonly name: string;
  readonly parents: readonly string[];
  readonly path?: string;
}

/** Two merged lines and one that is not, a minute apart from each other. */
const planned: readonly Planned[] = [
  { name: "a1", parents: ["main"], path: "dir/a" },
  { name: "b1", parents: ["a1"], path: "b" },
  { name: "a2", parents: ["a1"], path: "dir/a" },
  { name: "b2", parents: ["b1"], path: "b" },
  { name: "a3", parents: ["a2"], path: "c" },
  { name: "m1", parents: ["a3", "b2"] },
  { name: "c1", parents: ["b1"], path: "b" },
  { name: "a4", parents: ["m1"], path: "dir/d" },
  { name: "c2", parents: ["c1"], path: "dir/a" },
  { name: "m2", parents: ["c2", "a2"] },
  { name: "a5", parents: ["a4"], path: "dir/a" },
];
const oids = new Map<string, string>();
const timeOf = (name: string) => first + planned.findIndex((each) => each.name === name) * 60;

const record = world.store.of(projects).get(id);
if (record === undefined) throw new Error("no project");
await world.context.repositories.write(
  { kind: "project", id },
  () => placeOf(record),
  async (writer) => {
    oids.set("main", (await writer.branch(main)) as string);
    for (const { name, parents, path } of planned) {
      const above = parents.map((each) => oids.get(each) as string);
      const before = await writer.commitOf(above[0] as string);
      const oid = await writer.writeBlob(Buffer.from(name));
      const edit = new TreeEdit(writer, before?.tree);
      if (path !== undefined) await edit.put(path, { mode: "100644", oid });
      const tree = await edit.write();
      const at = planned.findIndex((each) => each.name === name);
      const author = { ...(authors[at % 2] as (typeof authors)[0]), timestamp: timeOf(name) };
      oids.set(name, await writer.writeCommit({ message: name, tree, parents: above, author, committer: author }));
      await writer.save();
      await writer.update(`${branchPrefix}${name}`, oids.get(name) as string);
    }
  },
);

type Query = Readonly<Record<string, string | number | boolean>>;
const ask = (query: Query) => world.get(`/projects/${id}/repository/commits`, { query: { per_page: 100, ...query } });
const titles = async (query: Query): Promise<string[]> => (await ask(query)).body.map(({ title }: Json) => title);
const log = async (...args: string[]) =>
  (await git(["-C", folderOf(world, id), "log", "--format=%s", ...args, "--"])).split("\n").filter(Boolean);
const iso = (name: string, ms = 0) => new Date(timeOf(name) * 1000 + ms).toISOString();

describe("a list of commits is git's", () => {
  const revisions = [
    "a5",
    "m1",
    "m2",
    "a5..m2",
    "m2..a5",
    "a5...m2",
    "m1...c2",
    "a2..a1",
    "a1..a5",
    "a5..",
    "..m2",
    "a3...a3",
  ];
  for (const revision of revisions) {
    test(`for ${revision}`, async () => {
      const asked = revision.replace(/^\.\./, `${main}..`).replace(/\.\.$/, `..${main}`);
      expect(await titles({ ref_name: revision })).toEqual(await log(asked));
      expect(await titles({ ref_name: revision, first_parent: true })).toEqual(await log("--first-parent", asked));
      expect(await titles({ ref_name: revision, order: "topo" })).toEqual(await log("--topo-order", asked));
      expect(await titles({ ref_name: revision, order: "default", trailers: true })).toEqual(await log(asked));
    });
  }

  test("from all branches", async () => {
    expect(await titles({ all: true, ref_name: "a1" })).toEqual(await log("--all"));
    expect(await titles({ all: true, order: "topo" })).toEqual(await log("--topo-order", "--all"));
  });

  test("since and until a time, both included", async () => {
    for (const [since, until] of [
      ["a2", "a4"],
      ["a1", "a5"],
      ["a3", "a3"],
    ] as const) {
      const inGit = [`--since=${iso(since)}`, `--until=${iso(until)}`];
      const query = { since: iso(since), until: iso(until), ref_name: "a5" };
      expect(await titles(query)).toEqual(await log(...inGit, "a5"));
      expect(await titles({ ...query, ref_name: "a5...m2" })).toEqual(await log(...inGit, "a5...m2"));
    }
    expect(await titles({ ref_name: "a5", since: iso("a4", 1) })).toEqual(["a5"]);
    expect(await titles({ ref_name: "a5", until: iso("a1", -1) })).toEqual(["Initial commit"]);
  });

  test("of an author", async () => {
    for (const author of ["Ada", "Grace <grace@navy", "people.example>"]) {
      expect(await titles({ ref_name: "a5", author })).toEqual(
        await log("--fixed-strings", `--author=${author}`, "a5"),
      );
    }
    expect(await titles({ ref_name: "a5", author: "grace <" })).toEqual([]);
    expect(await titles({ ref_name: "a5", author: "" })).toEqual(await log("a5"));
  });

  test("of a path, with other conditions", async () => {
    const logOf = async (path: string, ...args: string[]) =>
      (await git(["-C", folderOf(world, id), "log", "--format=%s", ...args, "--", path])).split("\n").filter(Boolean);
    for (const path of ["dir", "dir/a", "b"]) {
      expect(await titles({ ref_name: "a5", path })).toEqual(await logOf(path, "a5"));
      expect(await titles({ ref_name: "a5", path, first_parent: true })).toEqual(
        await logOf(path, "--first-parent", "a5"),
      );
      expect(await titles({ ref_name: "a5", path, order: "topo" })).toEqual(await logOf(path, "--topo-order", "a5"));
      expect(await titles({ ref_name: "a1..a5", path })).toEqual(await logOf(path, "a1..a5"));
    }
  });
});

test("pages of a filtered list follow each other", async () => {
  const all = await titles({ ref_name: "a5...m2", author: "Ada", order: "topo" });
  expect(all.length).toBeGreaterThan(2);
  const paged: string[] = [];
  for (let page = 1; page <= all.length; page += 1) {
    paged.push(...(await titles({ ref_name: "a5...m2", author: "Ada", order: "topo", per_page: 1, page })));
  }
  expect(paged).toEqual(all);
});

test("what names no commit gives none", async () => {
  for (const ref_name of ["nowhere", "nowhere..a1", "a1...nowhere", "a1....a2"])
    expect(await titles({ ref_name })).toEqual([]);
});

test.each([
  [{ ref_name: "--all" }, { message: "ref_name is invalid" }],
  [{ ref_name: "a b" }, { message: "ref_name is invalid" }],
  [{ since: "yesterday" }, { error: "since is invalid" }],
  [{ until: "2025-13-01" }, { error: "until is invalid" }],
  [{ order: "random" }, { error: "order does not have a valid value" }],
  [{ all: "perhaps" }, { error: "all is invalid" }],
  [{ first_parent: "perhaps" }, { error: "first_parent is invalid" }],
])("%p is refused", async (query, refusal) => {
  const { status, body } = await ask(query as Query);
  expect(status).toBe(400);
  expect(body).toMatchObject(refusal);
});

test("commits of one second are left out of a range as those of others are", async () => {
  const other = await makeProject(world, { initialize_with_readme: true });
  const of = world.store.of(projects).get(other.id);
  if (of === undefined) throw new Error("no project");
  await world.context.repositories.write(
    { kind: "project", id: of.id },
    () => placeOf(of),
    async (writer) => {
      const root = (await writer.resolve(main)) as NonNullable<Awaited<ReturnType<typeof writer.resolve>>>;
      const author = { name: "Ada", email: "ada@people.example", timestamp: root.committer.timestamp };
      let long = [root.oid];
      for (let at = 0; at < 5; at += 1) {
        long = [
          await writer.writeCommit({
            message: `long ${at}`,
            tree: root.tree,
            parents: long,
            author,
            committer: author,
          }),
        ];
      }
      const short = await writer.writeCommit({
        message: "short",
        tree: root.tree,
        parents: [root.oid],
        author,
        committer: author,
      });
      await writer.save();
      await writer.update(`${branchPrefix}long`, long[0] as string);
      await writer.update(`${branchPrefix}short`, short);
    },
  );
  const list = async (ref_name: string) =>
    (await world.get(`/projects/${other.id}/repository/commits`, { query: { ref_name } })).body.map(
      ({ title }: Json) => title,
    );
  expect(await list("long..short")).toEqual(["short"]);
  expect(await list("short..long")).toEqual(["long 4", "long 3", "long 2", "long 1", "long 0"]);
  expect((await list("short...long")).toSorted()).toEqual(["long 0", "long 1", "long 2", "long 3", "long 4", "short"]);
});
