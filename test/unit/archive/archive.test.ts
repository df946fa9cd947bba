import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { type Headers, pack } from "tar-stream";
import { archiveOfStopped, readArchive, restoreArchive } from "../../../src/archive/index.ts";
import { exitCodes, StartError } from "../../../src/domain/start-error.ts";
import { createRandom } from "../../support/checks/random.ts";
import { createTempFolder, type TempFolder } from "../../support/process/temp-folder.ts";

const repository = `@hashed/ab/cd/${"e".repeat(64)}.git`;
let folder: TempFolder;
let archive: Uint8Array;
let target: { dataFolder: string; repositoryStorages: { name: string; folder: string | undefined }[] };

const files: Readonly<Record<string, string | Uint8Array>> = {
  "manifest.json": JSON.stringify({
    ...{ format: 1, store: "s", created_at: "2027-01-01T00:00:00.000Z", written_by: "0.1.0", generation: "0001" },
  }),
  "generations/0001/documents/users/000000.json": "documents",
  "generations/0001/logs/audit-events/000000.json": "events",
  "generations/0001/logs/audit-events/000000.index.json": "index",
  [`generations/0001/blobs/aa/${"a".repeat(64)}`]: Buffer.alloc(3 << 20, "blob "),
  [`repositories/default/${repository}/HEAD`]: "ref: refs/heads/main\n",
  [`repositories/default/${repository}/refs/heads/main`]: `${"1".repeat(40)}\n`,
  [`repositories/default/${repository}/refs/heads/a/b`]: `${"2".repeat(40)}\n`,
  [`repositories/default/${repository}/objects/11/${"1".repeat(38)}`]: "object",
};
const leftOut = {
  "initial-root-credentials": "token: secret",
  lock: "process 1",
  "generations/0001/documents/users/000001.json.tmp": "cut off",
  "damaged/x": "set aside",
  [`repositories/default/${repository}/refs/heads/main.lock`]: "",
  [`repositories/default/${repository}/objects/11/tmp_obj_1`]: "",
  [`repositories/default/${repository}.moving/HEAD`]: "",
};

beforeAll(async () => {
  folder = await createTempFolder();
  const dataFolder = join(folder.path, "data");
  for (const [name, content] of Object.entries({ ...files, ...leftOut })) {
    await mkdir(dirname(join(dataFolder, name)), { recursive: true });
    await writeFile(join(dataFolder, name), content);
  }
  target = { dataFolder, repositoryStorages: [{ name: "default", folder: undefined }] };
  archive = await gather(archiveOfStopped(target, "2027-01-02T03:04:05.000Z"));
});
afterAll(() => folder.remove());

async function gather(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

async function* inPieces(bytes: Uint8Array, length = 1000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += length) yield bytes.subarray(at, at + length);
}

/** Path of a file of a store in one that is restored from it. */
function placeIn(name: string): string {
  const inStorage = /^(repositories\/default)\/(.*)$/.exec(name);
  return inStorage === null
    ? name.replace("generations/0001", "generations/0002")
    : `${inStorage[1]}/generations/0002/${inStorage[2]}`;
}

async function refusalOf(work: Promise<unknown>): Promise<StartError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof StartError) return error;
    throw error;
  }
  throw new Error("it was accepted");
}

/** Restores into a folder of its own and returns the refusal, after which nothing may be there. */
async function refusedRestore(bytes: Uint8Array): Promise<StartError> {
  const dataFolder = join(folder.path, "refused");
  const refusal = await refusalOf(restoreArchive(inPieces(bytes), { ...target, dataFolder }));
  expect(await readdir(folder.path)).not.toContain("refused");
  return refusal;
}

async function tarOf(entries: readonly (readonly [Headers, string | undefined])[]): Promise<Uint8Array> {
  const tar = pack();
  for (const [header, content] of entries) {
    if (content === undefined) tar.entry(header);
    else tar.entry({ ...header, size: Buffer.byteLength(content) }, content);
  }
  tar.finalize();
  return gzipSync(await gather(tar));
}

const header = JSON.stringify({
  outpost_backup: 1,
  release: "0.1.0",
  created_at: "",
  store: "s",
  store_format: 1,
  journal_position: 0,
  storages: ["default"],
});

describe("an archive", () => {
  test("has the store and its repositories, and restores them byte for byte", async () => {
    const dataFolder = join(folder.path, "restored");
    const manifest = await restoreArchive(inPieces(archive), { ...target, dataFolder });
    expect(manifest).toMatchObject({ store_format: 1, journal_position: 0, files: 8, storages: ["default"] });
    const found = (await readdir(dataFolder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(dataFolder.length + 1));
    const loose = Object.keys(files).filter((name) => !name.includes("/refs/") && name !== "manifest.json");
    const packedRefs = placeIn(`repositories/default/${repository}/packed-refs`);
    expect(found.sort()).toEqual([...loose.map(placeIn), "lock", "manifest.json", packedRefs].sort());
    for (const name of loose) {
      expect(await readFile(join(dataFolder, placeIn(name)))).toEqual(Buffer.from(files[name] as string));
    }
    const refs = await readFile(join(dataFolder, packedRefs), "utf8");
    expect(refs).toBe(`${"2".repeat(40)} refs/heads/a/b\n${"1".repeat(40)} refs/heads/main\n`);
    expect((await stat(join(dataFolder, dirname(packedRefs), "refs/heads"))).isDirectory()).toBe(true);
    expect(JSON.parse(await readFile(join(dataFolder, "manifest.json"), "utf8"))).toEqual({
      ...JSON.parse(files["manifest.json"] as string),
      generation: "0002",
    });
    expect((await stat(join(dataFolder, "manifest.json"))).mode & 0o777).toBe(0o600);
    const again = await refusalOf(restoreArchive(inPieces(archive), { ...target, dataFolder }));
    expect(again.message).toBe(`${dataFolder} holds a store already, and nothing was changed`);
  });

  test("restores repositories to the configured storages, and refuses an unknown storage", async () => {
    const dataFolder = join(folder.path, "elsewhere");
    const storage = join(folder.path, "disk/of/repositories");
    await restoreArchive(inPieces(archive), { dataFolder, repositoryStorages: [{ name: "default", folder: storage }] });
    expect((await readdir(join(storage, "generations/0002", repository))).sort()).toEqual([
      "HEAD",
      "objects",
      "packed-refs",
      "refs",
    ]);
    expect(await readdir(dataFolder)).not.toContain("repositories");
    const others = { dataFolder: join(folder.path, "none"), repositoryStorages: [{ name: "fast", folder: undefined }] };
    const refusal = await refusalOf(restoreArchive(inPieces(archive), others));
    expect(refusal.message).toBe("the archive has repositories of storage default, which the settings do not name");
    const taken = { dataFolder: join(folder.path, "none"), repositoryStorages: [{ name: "default", folder: storage }] };
    expect((await refusalOf(restoreArchive(inPieces(archive), taken))).message).toContain(
      "the folder of storage default is not empty",
    );
  });

  test("with any byte flipped is refused, and leaves nothing", async () => {
    const random = createRandom(7);
    for (let round = 0; round < 60; round += 1) {
      const damaged = Uint8Array.from(archive);
      const at = 10 + Math.floor(random.fraction() * (archive.byteLength - 10));
      damaged[at] = (damaged[at] as number) ^ (1 << Math.floor(random.fraction() * 8));
      // Each sync of a restore takes its time.
      const refusal = await (round % 10 === 0 ? refusedRestore(damaged) : refusalOf(readArchive(inPieces(damaged))));
      expect([at, refusal.exitCode]).toEqual([at, exitCodes.damaged]);
    }
  });

  test("with a byte flipped below the compression is refused by the hash of the file, which it names", async () => {
    const tar = gunzipSync(archive);
    tar[tar.indexOf("documents", tar.indexOf("000000.json"))] = 68;
    expect((await refusedRestore(gzipSync(tar))).message).toBe(
      "the archive cannot be used: data/documents/users/000000.json is damaged: its content does not match its hash",
    );
  });

  test("that is truncated anywhere is reported as such", async () => {
    const random = createRandom(11);
    for (let round = 0; round < 30; round += 1) {
      const end = 20 + Math.floor(random.fraction() * (archive.byteLength - 30));
      const cut = archive.subarray(0, end);
      const refusal = await (round % 10 === 0 ? refusedRestore(cut) : refusalOf(readArchive(inPieces(cut))));
      expect([end, refusal.message]).toEqual([end, "the archive cannot be used: it is cut off, its end is missing"]);
    }
    // A whole tar archive, without what proves that it is all.
    const tar = gunzipSync(archive);
    const end = tar.lastIndexOf("manifest.json\0");
    const cut = Buffer.concat([tar.subarray(0, end), Buffer.alloc(1024)]);
    expect((await refusedRestore(gzipSync(cut))).message).toContain("its end is missing");
  });

  const first: [Headers, string] = [{ name: "outpost-backup.json" }, header];
  test.each<[string, Headers, string | undefined, string]>([
    ["a path upwards", { name: "data/../../evil" }, "x", "which no backup has"],
    ["a path upwards in a repository", { name: `repositories/default/${repository}/../../x` }, "x", "no backup has"],
    [
      "a name that no disk holds",
      { name: `repositories/default/${repository}/refs/heads/${"a".repeat(300)}` },
      "x",
      "is too long",
    ],
    [
      "a storage that its header does not name",
      { name: `repositories/other/${repository}/HEAD` },
      "x",
      "storage other",
    ],
    ["an absolute path", { name: "/etc/passwd" }, "x", "which no backup has"],
    ["another folder", { name: "data/lock" }, "x", "which no backup has"],
    ["a symbolic link", { name: "data/manifest.json", type: "symlink", linkname: "/etc" }, undefined, "is a symlink"],
    ["a hard link", { name: "data/manifest.json", type: "link", linkname: "/etc/passwd" }, undefined, "is a link"],
    ["a device", { name: "data/manifest.json", type: "character-device" }, undefined, "is a character-device"],
    ["a folder", { name: "data", type: "directory" }, undefined, "is a directory"],
  ])("with %s is refused", async (_, entry, content, words) => {
    expect((await refusedRestore(await tarOf([first, [entry, content]]))).message).toContain(words);
  });

  test("with JSON that would take much memory, or with lists of nothing, is refused", async () => {
    const list: Headers = { name: "files/000001.jsonl" };
    const file: [Headers, string] = [{ name: "data/manifest.json" }, "{}"];
    const nested = "[".repeat(60_000);
    const archives: [readonly (readonly [Headers, string])[], string][] = [
      [[[{ name: "outpost-backup.json" }, nested]], "outpost-backup.json is not valid"],
      [[[{ name: "outpost-backup.json" }, " ".repeat(1 << 17)]], "outpost-backup.json is larger"],
      [[first, [{ name: "manifest.json" }, "[],".repeat(200_000)]], "manifest.json is not valid"],
      [[first, file, [list, `${nested}\n`]], "files/000001.jsonl is not valid"],
      [[first, [list, "\n"]], "files/000001.jsonl lists no file"],
    ];
    for (const [entries, words] of archives) {
      expect((await refusedRestore(await tarOf(entries))).message).toContain(words);
    }
  });

  test("with a name longer than memory, or an invalid length, is damaged", async () => {
    const tar = gunzipSync(await tarOf([first, [{ name: "data/manifest.json" }, "{}"]]));
    const endless = Buffer.from(tar.subarray(0, 512));
    endless.write("x", 156);
    endless.write("77777777777", 124);
    const sum = endless.fill(" ", 148, 156).reduce((all, byte) => all + byte, 0);
    endless.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    const odd = { name: "data/manifest.json", pax: { size: "none" } };
    const oddLength = await tarOf([first, [odd as Headers, "{}"]]);
    for (const bytes of [gzipSync(Buffer.concat([endless, tar])), oddLength]) {
      const refusal = await refusedRestore(bytes);
      expect([refusal.exitCode, refusal.message]).toEqual([exitCodes.damaged, expect.stringContaining("is damaged")]);
    }
  });

  test("with one file twice is refused", async () => {
    const twice: [Headers, string] = [{ name: "data/manifest.json" }, "{}"];
    expect((await refusedRestore(await tarOf([first, twice, twice]))).message).toContain("it has two files");
  });

  test("of another program, or of a later version, is reported as such", async () => {
    expect((await refusedRestore(Buffer.from("PK zip"))).message).toContain("it is no backup of Outpost");
    expect((await refusedRestore(await tarOf([[{ name: "readme" }, "x"]]))).message).toContain("it is no backup");
    const later = { ...JSON.parse(header), outpost_backup: 2, release: "9.0.0" };
    const refusal = await refusedRestore(await tarOf([[{ name: "outpost-backup.json" }, JSON.stringify(later)]]));
    expect([refusal.message, refusal.hintFor("serve")]).toEqual([
      "the archive has format 2, this version reads up to 1",
      "outpost version, of another executable: 9.0.0 or newer",
    ]);
    const newer = { ...JSON.parse(header), store_format: 99 };
    expect(
      (await refusedRestore(await tarOf([[{ name: "outpost-backup.json" }, JSON.stringify(newer)]]))).message,
    ).toStartWith("the archive holds a store of format 99");
  });

  test("is not restored into a folder with files in it", async () => {
    const dataFolder = join(folder.path, "mine");
    await mkdir(dataFolder);
    await writeFile(join(dataFolder, "thesis.txt"), "years");
    const refusal = await refusalOf(restoreArchive(inPieces(archive), { ...target, dataFolder }));
    expect(refusal.message).toBe(`${dataFolder} is not empty: thesis.txt is in it`);
    expect(await readdir(dataFolder)).toContain("thesis.txt");
  });

  test("counts a folder as an interrupted restore only if it has nothing else", async () => {
    const dataFolder = join(folder.path, "home");
    const documents = join(dataFolder, "generations/0002/documents");
    await mkdir(documents, { recursive: true });
    await writeFile(join(dataFolder, "generations/0002/command"), "outpost restore FILE");
    await writeFile(join(documents, "thesis.txt"), "years");
    await writeFile(join(dataFolder, "notes.txt"), "mine");
    const refusal = await refusalOf(restoreArchive(inPieces(archive), { ...target, dataFolder }));
    expect(refusal.message).toStartWith(`${dataFolder} is not empty`);
    expect(await readdir(documents)).toEqual(["thesis.txt"]);
    await rm(join(dataFolder, "notes.txt"));
    await restoreArchive(inPieces(archive), { ...target, dataFolder });
    expect(await readdir(dataFolder)).toContain("manifest.json");
  });

  test("that is no longer wanted ends at once", async () => {
    const pieces = archiveOfStopped(target, "2027-01-02T03:04:05.000Z");
    await pieces.next();
    await pieces.return(undefined);
    expect((await pieces.next()).done).toBe(true);
    const bytes = inPieces(archive);
    await expect(
      readArchive(bytes, {
        begin: () => Promise.reject(new Error("no")),
      }),
    ).rejects.toThrow("no");
  });
});
