import { expect, test } from "bun:test";
import { WorkBudget, withBudget } from "../../../src/domain/work-budget.ts";
import { withDeleted } from "../../../src/git/deleted-refs.ts";
import { ObjectTooLarge } from "../../../src/git/objects/limits.ts";
import { createRandom } from "../../support/checks/random.ts";
import { openRepositories } from "../../support/git/repositories.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const place = { kind: "project", id: 1, storage: "default" } as const;
const ines = { name: "Ines", email: "ines@people.example", timestamp: 1_700_000_000 };

test("tags of tags are followed so far, and each is charged", async () => {
  await using folder = await createTempFolder();
  const repositories = openRepositories(folder.path);
  await repositories.write(
    place,
    () => place,
    async (writer) => {
      const tree = await writer.writeTree([]);
      const commit = await writer.writeCommit({ message: "m", tree, parents: [], author: ines, committer: ines });
      const chain = [commit];
      for (let at = 1; at <= 17; at += 1)
        chain.push(await writer.writeTag(`t${at}`, chain[at - 1] as string, "m", ines));
      await writer.save();
      const budget = new WorkBudget();
      expect((await withBudget(budget, () => writer.commitOf(chain[16] as string)))?.oid).toBe(commit);
      expect(budget.steps).toBeGreaterThan(2 * 16 * 500);
      await expect(writer.commitOf(chain[17] as string)).rejects.toBeInstanceOf(ObjectTooLarge);
    },
  );
});

test("deleted refs come back in place of those that could not be beside them", () => {
  const random = createRandom();
  const names = ["a", "a/b", "a/b/c", "a/c", "ab", "b", "b/a", "b/a/a", "c"];
  const some = () => new Map(names.filter(() => random.fraction() < 0.5).map((name) => [name, name]));
  for (let round = 0; round < 500; round += 1) {
    const [present, deleted] = [some(), some()];
    const back = [...deleted.keys()].filter((name) => !present.has(name));
    const isBeside = (name: string) => !back.some((each) => name.startsWith(`${each}/`) || each.startsWith(`${name}/`));
    const wanted = [...[...present.keys()].filter(isBeside), ...back].sort();
    expect([...withDeleted(present, deleted).keys()]).toEqual(wanted);
  }
});
