import { expect, test } from "bun:test";
import fc from "fast-check";
import { type Commit, mergeBases } from "../../../src/git/index.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";
import { emptyRepository, git, place } from "./histories.ts";

const seed = Number(process.env.TEST_SEED ?? 20_260_314);

/** For each commit, the places of its parents before it, and how wrong its clock is. */
const graphs = fc.array(
  fc.record({
    parents: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 }),
    skew: fc.constantFrom(0, 0, 0, 0, -500, 500),
  }),
  { minLength: 4, maxLength: 30 },
);

type Graph = typeof graphs extends fc.Arbitrary<infer T> ? T : never;

/** Imports a graph of commits, and returns their ids. */
async function importGraph(work: string, graph: Graph): Promise<string[]> {
  const commits = graph.map(({ parents, skew }, at) => {
    const marks = [...new Set(parents.map((back) => at - back).filter((mark) => mark > 0))];
    const links = marks.map((mark, place) => `${place === 0 ? "from" : "merge"} :${mark}\n`).join("");
    const head = `commit refs/heads/c${at + 1}\nmark :${at + 1}\n`;
    return `${head}committer M <m@example.com> ${1_700_000_000 + 60 * at + skew} +0000\ndata 1\nx\n${links}\n`;
  });
  const child = Bun.spawn(["git", "-C", work, "fast-import", "--quiet"], { stdin: new Blob(commits) });
  expect(await child.exited).toBe(0);
  const listed = await git(work, "for-each-ref", "--format=%(refname:short) %(objectname)", "refs/heads");
  const byName = new Map(
    listed
      .trim()
      .split("\n")
      .map((line) => line.split(" ") as [string, string]),
  );
  return graph.map((_, at) => byName.get(`c${at + 1}`) as string);
}

test("finds the merge bases that git finds, over criss-cross merges and wrong clocks", async () => {
  let several = 0;
  const compare = fc.asyncProperty(
    graphs,
    fc.array(fc.nat(), { minLength: 12, maxLength: 12 }),
    async (graph, picked) => {
      await using folder = await createTempFolder();
      const { repositories, work } = await emptyRepository(folder.path);
      const oids = await importGraph(work, graph);
      const pick = (at: number) => oids[(picked[at] as number) % oids.length] as string;
      for (let at = 0; at + 2 < picked.length; at += 3) {
        const [one, other, third] = [pick(at), pick(at + 1), pick(at + 2)];
        const args = at % 2 === 0 ? [one, other] : [one, other, third];
        const expected = (await git(work, "merge-base", "--all", ...args).catch(() => ""))
          .trim()
          .split("\n")
          .filter(Boolean);
        if (expected.length > 1) several += 1;
        const found = await repositories.read(place, async (repository) => {
          const commits: Commit[] = [];
          for (const oid of args) commits.push((await repository.commitOf(oid)) as Commit);
          return mergeBases(repository, commits.slice(0, 1), commits.slice(1));
        });
        expect(found.map(({ oid }) => oid).sort()).toEqual(expected.sort());
      }
    },
  );
  await fc.assert(compare, { numRuns: 40, seed });
  expect(several).toBeGreaterThan(0);
}, 240_000);
