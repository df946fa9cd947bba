import { expect, spyOn, test } from "bun:test";
import { CommitQueue } from "../../../src/git/commit-queue.ts";
import { branchPrefix } from "../../../src/git/index.ts";
import { ObjectTooLarge } from "../../../src/git/objects/limits.ts";
import type { Commit } from "../../../src/git/objects/objects.ts";
import { Repository } from "../../../src/git/repository.ts";
import { createRandom } from "../../support/checks/random.ts";
import { openRepositories } from "../../support/git/repositories.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const place = { kind: "project", id: 1, storage: "default" } as const;
const ines = { name: "Ines", email: "ines@people.example" };

/** A repository with a merge of commits, which have their numbers as their times; each is named as a parent so many times. */
async function withMerge(
  commits: number,
  times: number,
  work: (repository: Repository) => Promise<void>,
): Promise<void> {
  await using folder = await createTempFolder();
  const repositories = openRepositories(folder.path);
  await repositories.write(
    place,
    () => place,
    async (writer) => {
      const tree = await writer.writeTree([]);
      const commit = (at: number, ofParents: readonly string[]) => {
        const author = { ...ines, timestamp: at };
        return writer.writeCommit({ message: `${at}`, tree, parents: ofParents, author, committer: author });
      };
      const oids: string[] = [];
      for (let at = 0; at < commits; at += 1) {
        const oid = await commit(at, []);
        for (let time = 0; time < times; time += 1) oids.push(oid);
      }
      await writer.update(`${branchPrefix}main`, await commit(commits, oids), "main");
    },
  );
  await repositories.read(place, work);
}

test("the parents of a merge are read one after the other", async () => {
  await withMerge(300, 1, async (repository) => {
    const head = (await repository.resolve("main")) as Commit;
    const read = Repository.prototype.commitOf;
    let [reading, most] = [0, 0];
    using _ = spyOn(Repository.prototype, "commitOf").mockImplementation(async function (this: Repository, oid) {
      reading += 1;
      most = Math.max(most, reading);
      try {
        return await read.call(this, oid);
      } finally {
        reading -= 1;
      }
    });
    const messages: number[] = [];
    for await (const { message } of repository.history([head])) messages.push(Number(message));
    expect(messages).toEqual(Array.from({ length: 301 }, (__, at) => 300 - at));
    expect(most).toBe(1);
  });
});

test("a commit with more than 1000 parents is refused when it is read", async () => {
  await withMerge(1, 1_000, async (repository) => {
    expect((await repository.resolve("main"))?.parent).toHaveLength(1_000);
  });
  await withMerge(1, 1_001, async (repository) => {
    await expect(repository.resolve("main")).rejects.toBeInstanceOf(ObjectTooLarge);
  });
});

test("a queue gives the newest commit first, and of equals the one that came first", () => {
  const random = createRandom();
  const queue = new CommitQueue();
  let waiting: Commit[] = [];
  for (let at = 0; at < 3_000; at += 1) {
    if (random.fraction() < 0.6) {
      const commit = { oid: `${at}`, committer: { timestamp: random.integer(0, 50) } } as Commit;
      queue.push(commit);
      waiting.push(commit);
      continue;
    }
    const newest = Math.max(...waiting.map(({ committer }) => committer.timestamp));
    const wanted = waiting.find(({ committer }) => committer.timestamp === newest);
    expect(queue.pop()).toBe(wanted);
    if (wanted !== undefined) expect(queue.has(wanted.oid)).toBe(false);
    waiting = waiting.filter((each) => each !== wanted);
    expect(waiting.every(({ oid }) => queue.has(oid))).toBe(true);
  }
});
