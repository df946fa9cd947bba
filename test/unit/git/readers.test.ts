import { expect, test } from "bun:test";
import { Repositories } from "../../../src/git/index.ts";
import { copyingWorker } from "../../../src/workers.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

test("sixteen readers run at once, of strangers four, and the others in turn", async () => {
  await using folder = await createTempFolder();
  const repositories = new Repositories({
    storages: [{ name: "default", folder: undefined }],
    dataFolder: folder.path,
    generation: "0001",
    isReadOnly: () => false,
    copyingWorker,
  });
  const gate = Promise.withResolvers<void>();
  const reading = { strangers: 0, others: 0 };
  const read = (isStranger: boolean) =>
    repositories.readInTurn({ kind: "project", id: 1, storage: "default" }, isStranger, async () => {
      reading[isStranger ? "strangers" : "others"] += 1;
      await gate.promise;
    });
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
