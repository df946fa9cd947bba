import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import { requestStepsMax, WorkBudget, withBudget } from "../../../src/domain/work-budget.ts";
import { Repositories, type RepositoryWriter, type TreeEntry, writeFileTree } from "../../../src/git/index.ts";
import { copyingWorker, packWorker } from "../../../src/workers.ts";
import { mountTmpfs, whyNoMounts } from "../../support/process/mounts.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const noMounts = await whyNoMounts();

const empty = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";

/** Files in folders of their own, so that each folder is a tree. */
function deepFiles(files: number, folders: number, tag: string): ReadonlyMap<string, TreeEntry> {
  const paths = Array.from({ length: files }, (_, at) => `${tag}${at}/${"a/".repeat(folders - 1)}${at}`);
  return new Map(paths.map((path) => [path, { mode: "100644", path, oid: empty, type: "blob" }]));
}

async function withRepositories(work: (write: Write) => Promise<void>): Promise<void> {
  await using folder = await createTempFolder();
  await work(writeIn(folder.path));
}

/** Writes to repositories in a data folder. */
function writeIn(dataFolder: string): Write {
  const repositories = new Repositories({
    storages: [{ name: "default", folder: undefined }],
    dataFolder,
    generation: "0001",
    isReadOnly: () => false,
    copyingWorker,
    packWorker,
  });
  return (id, change) => {
    const place = { kind: "project", id, storage: "default" } as const;
    return repositories.write(place, () => place, change);
  };
}
type Write = <R>(id: number, change: (writer: RepositoryWriter) => Promise<R>) => Promise<R>;

/** Calls `look` in each turn of the event loop while the work goes on; returns the number of turns. */
async function turnsDuring(work: () => Promise<unknown>, look: () => void = () => {}): Promise<number> {
  let turns = 0;
  let isOver = false;
  const count = () => {
    if (isOver) return;
    turns += 1;
    look();
    setImmediate(count);
  };
  setImmediate(count);
  await work().finally(() => {
    isOver = true;
  });
  return turns;
}

test("each object that a request writes counts for its work", async () => {
  await withRepositories(async (write) => {
    const budget = new WorkBudget();
    await withBudget(budget, () => write(1, (writer) => writeFileTree(writer, deepFiles(10, 64, "t"))));
    expect(budget.steps).toBeGreaterThan(640 * 1_000);
    expect(budget.steps).toBeLessThan(requestStepsMax / 2);
    const many = withBudget(new WorkBudget(), () =>
      write(1, (writer) => writeFileTree(writer, deepFiles(80, 100, "many"))),
    );
    await expect(many).rejects.toMatchObject({ workCause: "input" });
  });
});

test.skipIf(process.platform !== "linux")(
  "drafts of many objects open few files at a time",
  async () => {
    await withRepositories(async (write) => {
      const openFiles = () => readdirSync("/proc/self/fd").length;
      const before = openFiles();
      let most = 0;
      const saves = [1, 2].map((id) => async () => {
        await write(id, async (writer) => {
          await writeFileTree(writer, deepFiles(4, 64, `t${id}`));
          await writer.save();
        });
      });
      await turnsDuring(
        () => Promise.all(saves.map((save) => save())),
        () => {
          most = Math.max(most, openFiles());
        },
      );
      expect(most - before).toBeLessThan(80);
    });
  },
  60_000,
);

test("objects count with the blocks that they take on the disk", async () => {
  await withRepositories(async (write) => {
    const [planned, written] = await write(1, async (writer) => {
      await writeFileTree(writer, deepFiles(2, 10, "t"));
      return [writer.draftBytes, await writer.save()];
    });
    expect([planned, written]).toEqual([21 * 4096, 21 * 4096]);
  });
});

test.skipIf(noMounts !== undefined)("a full disk leaves no half of a new repository", async () => {
  await using disk = await mountTmpfs(1);
  const write = writeIn(disk.path);
  const create = (id: number) =>
    write(id, async (writer) => {
      await writeFileTree(writer, deepFiles(1, 1, "x"));
      return writer.save();
    });
  await create(1);
  const fill = async () => {
    for (;;) await appendFile(`${disk.path}/filling`, new Uint8Array(4096));
  };
  await expect(fill()).rejects.toThrow("ENOSPC");
  await expect(create(2)).rejects.toThrow("503 Service Unavailable");
  const names = readdirSync(disk.path, { recursive: true }).map(String);
  expect(names.filter((name) => name.includes(".new"))).toEqual([]);
  expect(names.filter((name) => name.endsWith(".git"))).toHaveLength(1);
});
