import { expect, test } from "bun:test";
import { requestStepsMax, WorkBudget, withBudget } from "../../../src/domain/work-budget.ts";
import { branchPrefix, type Repositories, TreeEdit } from "../../../src/git/index.ts";
import { openRepositories } from "../../support/git/repositories.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const depth = 1_000;
const path = `${"a/".repeat(depth)}f`;
const place = { kind: "project", id: 1, storage: "default" } as const;
const signature = { name: "Ines", email: "ines@people.example", timestamp: 1_700_000_000 };

/** A repository as an import may bring it: a deep file, and then commits, each of which changes `pathOf` of its number. */
async function withHistory(
  commits: number,
  pathOf: (at: number) => string,
  work: (all: Repositories) => Promise<void>,
) {
  await using folder = await createTempFolder();
  const repositories = openRepositories(folder.path);
  await repositories.write(
    place,
    () => place,
    async (writer) => {
      let [tree, parents]: [string | undefined, string[]] = [undefined, []];
      for (let at = 0; at <= commits; at += 1) {
        const oid = await writer.writeBlob(Buffer.from(`content ${at}`));
        const edit = new TreeEdit(writer, tree);
        await edit.put(at === 0 ? path : pathOf(at), { mode: "100644", oid });
        tree = await edit.write();
        const author = { ...signature, timestamp: signature.timestamp + at };
        const commit = { message: `${at}`, tree, parents, author, committer: author };
        parents = [await writer.writeCommit(commit)];
        await writer.save();
      }
      await writer.update(`${branchPrefix}main`, parents[0] as string, "main");
    },
  );
  await work(repositories);
}

/** The messages of the commits that changed a path. */
function changesOf(repositories: Repositories, wanted: string): Promise<string[]> {
  return repositories.read(place, async (repository) => {
    const head = await repository.resolve("main");
    const found: string[] = [];
    if (head === undefined) throw new Error("no commit");
    for await (const { message } of repository.history([head], { path: wanted })) found.push(message.trim());
    return found;
  });
}

test("equal folders of many commits are walked once", async () => {
  const commits = 20;
  await withHistory(
    commits,
    () => "other.txt",
    async (repositories) => {
      const budget = new WorkBudget();
      expect(await withBudget(budget, () => changesOf(repositories, path))).toEqual(["0"]);
      const lookUp = 500;
      expect(budget.steps).toBeGreaterThan(depth * lookUp);
      expect(budget.steps).toBeLessThan((depth + 5 * commits) * lookUp + 100_000);
      expect(await changesOf(repositories, "other.txt")).toHaveLength(commits);
      expect(await changesOf(repositories, "a/a")).toEqual(["0"]);
      expect(await changesOf(repositories, "a/none")).toEqual([]);
    },
  );
}, 60_000);

test("a walk through cached trees gives way to others, and ends with the budget", async () => {
  await withHistory(
    3,
    () => path,
    async (repositories) => {
      expect(await changesOf(repositories, path)).toEqual(["3", "2", "1", "0"]);
      let turns = 0;
      let isOver = false;
      const count = () => {
        turns += 1;
        if (!isOver) setImmediate(count);
      };
      const budget = new WorkBudget();
      const walk = () =>
        repositories.read(place, async (repository) => {
          const head = await repository.resolve("main");
          setImmediate(count);
          for (;;) await repository.entryAt(head?.tree ?? "", path);
        });
      await expect(withBudget(budget, walk)).rejects.toMatchObject({ workCause: "store" });
      isOver = true;
      expect(budget.steps).toBeGreaterThan(requestStepsMax);
      expect(turns).toBeGreaterThanOrEqual(50);
    },
  );
}, 60_000);
