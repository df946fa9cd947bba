import { expect, test } from "bun:test";
import { SourceError } from "../../../src/git/importing/source.ts";
import { stageRepository } from "../../../src/git/importing/stage.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const oid = "1".repeat(40);

test.each([
  ["branches and tags", 200_001, "v", "the source has 200001 branches and tags (maximum is 200000)"],
  ["bytes of names", 40_000, "v".repeat(190) + "/".concat("w".repeat(190)).repeat(4), "more than 32 MiB"],
])("an import is refused for too many %s, before it makes a file", async (_, count, name, text) => {
  await using folder = await createTempFolder();
  const refs = new Map(Array.from({ length: count }, (__, at) => [`refs/heads/${name}${at}`, oid]));
  const source = { refs, head: undefined, packs: [], objects: undefined };
  const staged = stageRepository(source, `${folder.path}/staged`);
  await expect(staged).rejects.toThrow(SourceError);
  await expect(staged).rejects.toThrow(text);
  expect(await Bun.file(`${folder.path}/staged/HEAD`).exists()).toBe(false);
});
