import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { projects } from "../../../../src/modules/groups-and-projects/projects/records.ts";
import { placeOf } from "../../../../src/modules/repositories/repositories/index.ts";
import { protectNoDefaultBranch } from "../../../support/fixtures/branch-protection.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { folderOf, git, makeProject } from "../../ci/triggers-and-pipelines/setting.ts";
import { addMember } from "../../groups-and-projects/setting.ts";
import { commitsOf, messageOf, projectWith } from "./setting.ts";

const world = await startWorld();
await protectNoDefaultBranch(world);

/** Parents of each commit by their distance, and the seconds that it is later than the one before. */
const history = fc.array(
  fc.record({ parents: fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { maxLength: 3 }), later: fc.nat(2) }),
  { minLength: 2, maxLength: 25 },
);

/** A project with a branch at each third commit of a history, and a tag at each fifth. Returns the ids of the commits. */
async function withHistory(commits: readonly { parents: readonly number[]; later: number }[]) {
  const { id } = await makeProject(world);
  await commitsOf(world, id).write({ "a.txt": "one" });
  const record = world.store.of(projects).get(id);
  if (record === undefined) throw new Error("no project");
  const oids: string[] = [];
  await world.context.repositories.write(
    { kind: "project", id },
    () => placeOf(record),
    async (writer) => {
      const tree = await writer.writeTree([]);
      let timestamp = 1_600_000_000;
      for (const [at, { parents, later }] of commits.entries()) {
        timestamp += later;
        const above = parents.filter((back) => back <= at).map((back) => oids[at - back] as string);
        const author = { name: "Ann", email: "ann@people.example", timestamp };
        const commit = { message: `${at}`, tree, parents: above, author, committer: author };
        oids.push(await writer.writeCommit(commit));
        await writer.save();
        if (at % 3 === 0) await writer.update(`refs/heads/b${at}`, oids[at] as string);
        if (at % 5 === 0) {
          const tag = await writer.writeTag(`t${at}`, oids[at] as string, "tagged", author);
          await writer.update(`refs/tags/t${at}`, tag);
        }
      }
    },
  );
  return { id, oids, ...commitsOf(world, id) };
}

const lines = (text: string) => text.split("\n").filter(Boolean);

describe("the refs of a commit", () => {
  test("are those that git finds, and the history has as many commits as git counts", async () => {
    await fc.assert(
      fc.asyncProperty(history, async (commits) => {
        const { oids, get, git: ask } = await withHistory(commits);
        for (const oid of oids.filter((_, at) => at % 4 === 1)) {
          const named = async (kind: string) =>
            lines(await ask("for-each-ref", "--contains", oid, "--format=%(refname:lstrip=2)", `refs/${kind}`));
          const branches = (await named("heads")).map((name) => ({ type: "branch", name }));
          const tags = (await named("tags")).map((name) => ({ type: "tag", name }));
          expect((await get(`${oid}/refs`, { per_page: 100 })).body).toEqual([...branches, ...tags]);
          expect((await get(`${oid}/refs`, { type: "tag", per_page: 100 })).body).toEqual(tags);
          expect((await get(`${oid}/refs`, { type: "branch", per_page: 100 })).body).toEqual(branches);
          for (const first_parent of [false, true]) {
            const count = Number(await ask("rev-list", "--count", ...(first_parent ? ["--first-parent"] : []), oid));
            expect((await get(`${oid}/sequence`, { first_parent })).body).toEqual({ count });
          }
        }
      }),
      { numRuns: 12 },
    );
  });

  test("come in pages without a total", async () => {
    const { id, write, get } = await projectWith(world, "developer");
    const first = await write({ "a.txt": "one" });
    for (const branch of ["x1", "x2", "x3"]) {
      await world.call("POST", `/projects/${id}/repository/branches`, {
        token: rootToken,
        json: { branch, ref: "main" },
      });
    }
    const page = async (number: number) => {
      const { body, headers } = await get(`${first}/refs`, { per_page: 2, page: number });
      return [body.map(({ name }: Json) => name), headers.get("x-next-page"), headers.has("x-total")];
    };
    expect(await page(1)).toEqual([["main", "x1"], "2", false]);
    expect(await page(2)).toEqual([["x2", "x3"], "", false]);
    expect(await page(3)).toEqual([[], "", false]);
    expect((await get(`${first}/refs`, { type: "note" })).body.error).toBe("type does not have a valid value");
  });
});

test("an unknown commit is 404, and a private project is as hidden as its code", async () => {
  const { id, write, get, path } = await projectWith(world, "developer");
  const sha = await write({ "a.txt": "one" });
  const guest = await world.user();
  addMember(world, { id }, guest, "guest", "project");
  for (const end of ["refs", "sequence", "signature"]) {
    expect(messageOf(await get(`none/${end}`))).toEqual([404, "404 Commit Not Found"]);
    expect((await world.call("GET", `${path}/${sha}/${end}`)).status).toBe(404);
    expect((await world.call("GET", `${path}/${sha}/${end}`, { token: guest.token })).status).toBe(403);
  }
});

describe("the signature of a commit", () => {
  test("is 404 for one that is not signed", async () => {
    const { write, get } = await projectWith(world, "developer");
    const sha = await write({ "a.txt": "one" });
    expect(messageOf(await get(`${sha}/signature`))).toEqual([404, "404 Signature Not Found"]);
    expect(messageOf(await get("main/signature"))).toEqual([404, "404 Signature Not Found"]);
  });

  test.each([
    ["PGP SIGNATURE", { signature_type: "PGP", verification_status: "unknown_key", gpg_key_id: null }],
    ["SSH SIGNATURE", { signature_type: "SSH", verification_status: "unverified", key: null }],
    ["SIGNED MESSAGE", { signature_type: "X509", verification_status: "unverified" }],
  ])("of a %s says its type", async (kind, expected) => {
    const { id, write, get } = await projectWith(world, "developer");
    const sha = await write({ "a.txt": "one" });
    const text = await git(["-C", folderOf(world, id), "cat-file", "commit", sha]);
    const signature = `gpgsig -----BEGIN ${kind}-----\n \n aGVsbG8=\n -----END ${kind}-----\n`;
    const signed = text.replace(/\n\n/, `\n${signature}\n`);
    const oid = (await git(["-C", folderOf(world, id), "hash-object", "-t", "commit", "-w", "--stdin"], signed)).trim();
    expect((await get(`${oid}/signature`)).body).toMatchObject({ commit_source: "gitaly", ...expected });
    expect((await get(oid)).body.message).toBe("Change files");
  });
});
