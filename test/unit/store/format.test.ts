import { describe, expect, test } from "bun:test";
import { version } from "../../../package.json" with { type: "json" };
import { exitCodes, StartError } from "../../../src/domain/start-error.ts";
import {
  checkStore,
  type Manifest,
  makeGenerationFolder,
  publishManifest,
  readManifest,
  snapshotOfStopped,
  writeManifest,
} from "../../../src/store/index.ts";
import { SimulatedDisk } from "../../support/disk/simulated-disk.ts";
import { dataFolder, openSample, sampleCollections } from "./sample-store.ts";

/** A stopped store, and its manifest. */
async function stoppedStore(): Promise<{ disk: SimulatedDisk; manifest: Manifest }> {
  const disk = new SimulatedDisk();
  const store = await openSample(disk);
  await store.close();
  return { disk, manifest: store.manifest };
}

async function refusalOf(work: () => unknown): Promise<StartError> {
  try {
    await work();
  } catch (error) {
    if (error instanceof StartError) return error;
    throw error;
  }
  throw new Error("it was accepted");
}

const readers: Readonly<Record<string, (disk: SimulatedDisk) => unknown>> = {
  start: (disk) => openSample(disk),
  check: (disk) => checkStore({ disk, folder: dataFolder, collections: sampleCollections }),
  backup: (disk) => snapshotOfStopped(disk, dataFolder),
};

test("a new store has format 1, and the version that made it", async () => {
  const { disk, manifest } = await stoppedStore();
  expect(manifest).toMatchObject({ format: 1, written_by: version, generation: "0001" });
  expect(readManifest(disk, { folder: dataFolder })).toEqual(manifest);
});

describe.each(Object.keys(readers))("a %s", (name) => {
  const read = readers[name] as (disk: SimulatedDisk) => unknown;

  test("refuses a store of a newer format, names the version that wrote it, and changes nothing", async () => {
    const { disk, manifest } = await stoppedStore();
    const newer = { ...manifest, format: 2, written_by: "7.4.0" };
    writeManifest(disk, { folder: dataFolder }, newer);
    const refusal = await refusalOf(() => read(disk));
    expect(refusal.message).toBe(
      `the store in ${dataFolder} was written by 7.4.0, this is ${version}: its format is 2, and this version reads format 1`,
    );
    expect([refusal.exitCode, refusal.hintFor("serve")]).toEqual([
      exitCodes.failed,
      "outpost version, of another executable: 7.4.0 or newer",
    ]);
    expect(JSON.parse(new TextDecoder().decode(disk.read(`${dataFolder}/manifest.json`)))).toEqual(newer);
  });

  test.each([
    ["format 0", { format: 0 }],
    ["a format that is no whole number", { format: 1.5 }],
    ["no format", { format: undefined }],
    ["no version", { written_by: undefined }],
    ["no generation", { generation: undefined }],
    ["a generation that is not there", { generation: "0007" }],
  ])("refuses a manifest with %s as damaged", async (_, changed) => {
    const { disk, manifest } = await stoppedStore();
    writeManifest(disk, { folder: dataFolder }, { ...manifest, ...changed } as unknown as Manifest);
    const refusal = await refusalOf(() => read(disk));
    expect([refusal.exitCode, refusal.message]).toEqual([
      exitCodes.damaged,
      expect.stringContaining("manifest.json is damaged: "),
    ]);
  });
});

test("the manifest of an archive is published for the generation that was made of it, in this format alone", async () => {
  const { disk, manifest } = await stoppedStore();
  const draft = "0002";
  makeGenerationFolder(disk, dataFolder, draft);
  const publish = (changed: object) =>
    publishManifest(disk, dataFolder, draft, JSON.stringify({ ...manifest, ...changed }));
  expect([publish({ format: 2 }), publish({ generation: undefined })]).toEqual([false, false]);
  expect(readManifest(disk, { folder: dataFolder, draft })).toBeUndefined();
  expect(publish({})).toBe(true);
  expect(readManifest(disk, { folder: dataFolder, draft })).toEqual({ ...manifest, generation: draft });
});
