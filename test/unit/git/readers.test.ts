import { describe, expect, test } from "bun:test";
import { ReaderQueue } from "../../../src/lib/reader-queue.ts";
import { openRepositories } from "../../support/git/repositories.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

test("sixteen readers run at once, of strangers four, and the others in turn", async () => {
  await using folder = await createTempFolder();
  const repositories = openRepositories(folder.path);
  const gate = Promise.withResolvers<void>();
  const reading = { strangers: 0, others: 0 };
  let readers = 0;
  const read = (isStranger: boolean) => {
    readers += 1;
    const reader = { name: `reader ${readers}`, isStranger };
    return repositories.readInTurn({ kind: "project", id: 1, storage: "default" }, reader, async () => {
      reading[isStranger ? "strangers" : "others"] += 1;
      await gate.promise;
    });
  };
  const turns = async () => {
    for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
  };
  const strangers = Array.from({ length: 40 }, () => read(true));
  await turns();
  expect(reading).toEqual({ strangers: 4, others: 0 });
  const others = Array.from({ length: 40 }, () => read(false));
  await turns();
  expect(reading).toEqual({ strangers: 4, others: 12 });
  gate.resolve();
  await Promise.all([...strangers, ...others]);
  expect(reading).toEqual({ strangers: 40, others: 40 });
});

describe("a queue of readers", () => {
  const limits = {
    running: 2,
    runningStrangers: 1,
    runningOfName: 2,
    open: 8,
    openStrangers: 4,
    openOfName: 3,
    waitMsMax: 60_000,
  };
  const begin = () => {
    const gate = Promise.withResolvers<void>();
    const queue = new ReaderQueue(limits, () => new Error("refused"));
    const read = (name: string, isStranger: boolean) => queue.run({ name, isStranger }, () => gate.promise);
    return { read, end: gate.resolve };
  };

  test("refuses more readers of one name at once, and takes others", async () => {
    const { read, end } = begin();
    const taken = [read("a", false), read("a", false), read("a", false)];
    await expect(read("a", false)).rejects.toThrow("refused");
    taken.push(read("b", false));
    end();
    await Promise.all(taken);
    await read("a", false);
  });

  test("has places for known readers when strangers fill theirs", async () => {
    const { read, end } = begin();
    const taken = ["a", "b", "c", "d"].map((name) => read(name, true));
    await expect(read("e", true)).rejects.toThrow("refused");
    for (const name of ["1", "2", "3", "4"]) taken.push(read(name, false));
    await expect(read("5", false)).rejects.toThrow("refused");
    end();
    await Promise.all(taken);
  });

  test("lets a reader work while those of another name wait", async () => {
    const gate = Promise.withResolvers<void>();
    const queue = new ReaderQueue({ ...limits, runningOfName: 1 }, () => new Error("refused"));
    const waiting = [1, 2, 3].map(() => queue.run({ name: "a", isStranger: false }, () => gate.promise));
    expect(await queue.run({ name: "b", isStranger: false }, async () => "read")).toBe("read");
    gate.resolve();
    await Promise.all(waiting);
  });

  test("refuses a reader that waited too long", async () => {
    const queue = new ReaderQueue({ ...limits, running: 1, waitMsMax: -1 }, () => new Error("refused"));
    await expect(queue.run({ name: "a", isStranger: false }, async () => 1)).rejects.toThrow("refused");
  });
});
