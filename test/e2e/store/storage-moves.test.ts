import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { git } from "../../contract/ci/triggers-and-pipelines/setting.ts";
import { createRandom } from "../../support/checks/random.ts";
import {
  ask,
  commitFile,
  fillProjects,
  foldersIn,
  isOver,
  listMoves,
} from "../../support/fixtures/moving-repositories.ts";
import { knownCredentials, until } from "../../support/process/fault-client.ts";
import { mountTmpfs, whyNoMounts } from "../../support/process/mounts.ts";
import { type OutpostProcess, startOutpost } from "../../support/process/outpost-process.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const whyNot = await whyNoMounts();
const kills = 10;
const all = "/project_repository_storage_moves";

/** A server with two storages. */
function serve(dataFolder: string, one: string, other: string, more: readonly string[] = []): Promise<OutpostProcess> {
  const storages = `default=${one},storage2=${other}`;
  return startOutpost({ env: knownCredentials, dataFolder, args: ["--repository-storages", storages, ...more] });
}

async function allOver(origin: string): Promise<void> {
  await until("the end of all moves", async () => (await listMoves(origin)).every(isOver), 180_000);
}

/** The one folder of each project's repository, which git finds whole. */
async function checkAll(origin: string, projects: readonly number[], folders: Record<string, string>): Promise<void> {
  for (const id of projects) {
    const { body } = await ask(origin, "GET", `/projects/${id}/storage`);
    const at = (storage: string) => `${folders[storage]}/${body.disk_path}.git`;
    const here = Object.keys(folders).filter((storage) => existsSync(at(storage)));
    expect([id, here]).toEqual([id, [body.repository_storage]]);
    await git(["-C", at(body.repository_storage), "fsck", "--full", "--strict"]);
  }
  const names = (await Promise.all(Object.values(folders).map(foldersIn))).flat();
  expect(names.filter((name) => !name.endsWith(".git"))).toEqual([]);
  expect(names).toHaveLength(projects.length);
}

test(
  `after ${kills} kills during moves every repository is intact, on one storage, and writable`,
  async () => {
    await using folder = await createTempFolder();
    const random = createRandom();
    const folders = { default: join(folder.path, "one"), storage2: join(folder.path, "two") };
    const start = () => serve(join(folder.path, "data"), folders.default, folders.storage2);
    let outpost = await start();
    try {
      const projects = await fillProjects(outpost.origin, 12, { files: 6, bytes: 40_000 });
      let cutOff = 0;
      for (let round = 0; round < kills; round += 1) {
        const [from, to] = round % 2 === 0 ? ["default", "storage2"] : ["storage2", "default"];
        const json = { source_storage_name: from, destination_storage_name: to };
        expect((await ask(outpost.origin, "POST", all, json)).status).toBe(202);
        const writing = commitFile(outpost.origin, projects[round % projects.length] as number, `r${round}`, "text")
          // The server may be gone before it answers.
          .catch(() => undefined);
        await Bun.sleep(random.fraction() * 150);
        await outpost.kill();
        const written = await writing;
        if (written !== undefined) {
          expect([201, 400]).toContain(written.status);
          if (written.status === 400) expect(written.body.message).toContain("temporarily read-only");
        }
        outpost = await start();
        if (!(await listMoves(outpost.origin)).every(isOver)) cutOff += 1;
        await allOver(outpost.origin);
        const moves = await listMoves(outpost.origin);
        expect(moves.filter(({ state }) => state !== "finished")).toEqual([]);
        await checkAll(outpost.origin, projects, folders);
      }
      console.log(`seed ${random.seed}: ${cutOff} of ${kills} kills left moves to be taken up again`);
      expect(cutOff).toBeGreaterThan(0);
      for (const id of projects) expect((await commitFile(outpost.origin, id, "last", "text")).status).toBe(201);
      await checkAll(outpost.origin, projects, folders);
    } finally {
      await outpost.kill();
    }
  },
  { timeout: 600_000 },
);

test("after a restart a move that was scheduled waits for the whole delay again", async () => {
  await using folder = await createTempFolder();
  const [dataFolder, one, other] = ["data", "one", "two"].map((name) => join(folder.path, name)) as [
    string,
    string,
    string,
  ];
  const start = (delayMs: number) => serve(dataFolder, one, other, ["--storage-move-delay-ms", String(delayMs)]);
  const state = async () => (await listMoves(outpost.origin))[0]?.state;
  /** The first is long enough for the kill to come before its end; when it is over, the second one begins. */
  const [firstMs, secondMs] = [4_000, 1_000];
  let outpost = await start(firstMs);
  try {
    const [id] = await fillProjects(outpost.origin, 1, { files: 1, bytes: 1000 });
    const askedAt = performance.now();
    await ask(outpost.origin, "POST", `/projects/${id}/repository_storage_moves`);
    await outpost.kill();
    outpost = await start(secondMs);
    const { status } = await commitFile(outpost.origin, id as number, "late", "text");
    // A machine that is slow enough has moved it by now.
    if ((await state()) === "scheduled") expect(status).toBe(400);
    await until("the start of the move", async () => (await state()) !== "scheduled");
    expect(performance.now() - askedAt).toBeGreaterThanOrEqual(firstMs + secondMs);
    await allOver(outpost.origin);
    expect((await commitFile(outpost.origin, id as number, "later", "text")).status).toBe(201);
  } finally {
    await outpost.kill();
  }
}, 180_000);

test("a missing destination fails the moves; the repositories stay writable and can be moved later", async () => {
  await using folder = await createTempFolder();
  const folders = { default: join(folder.path, "one"), storage2: join(folder.path, "two") };
  await using outpost = await serve(join(folder.path, "data"), folders.default, folders.storage2);
  const projects = await fillProjects(outpost.origin, 3, { files: 2, bytes: 1000 });
  await rm(folders.storage2, { recursive: true });
  const json = { source_storage_name: "default", destination_storage_name: "storage2" };
  await ask(outpost.origin, "POST", all, json);
  await allOver(outpost.origin);
  for (const { state, error_message } of await listMoves(outpost.origin)) {
    expect([state, error_message]).toEqual(["failed", "the folder of storage storage2 is gone"]);
  }
  expect(existsSync(folders.storage2)).toBe(false);
  await mkdir(folders.storage2);
  for (const id of projects) expect((await commitFile(outpost.origin, id, "more", "text")).status).toBe(201);
  await checkAll(outpost.origin, projects, folders);
  await ask(outpost.origin, "POST", all, json);
  await allOver(outpost.origin);
  await checkAll(outpost.origin, projects, folders);
  expect(await foldersIn(folders.default)).toEqual([]);
});

describe.skipIf(whyNot !== undefined)("a destination that becomes full", () => {
  test("fails the moves that do not fit, and keeps no files of them", async () => {
    await using folder = await createTempFolder();
    await using disk = await mountTmpfs(2);
    const folders = { default: join(folder.path, "one"), storage2: disk.path };
    await using outpost = await serve(join(folder.path, "data"), folders.default, folders.storage2);
    const projects = await fillProjects(outpost.origin, 4, { files: 4, bytes: 200_000 });
    const json = { source_storage_name: "default", destination_storage_name: "storage2" };
    await ask(outpost.origin, "POST", all, json);
    await allOver(outpost.origin);
    const moves = await listMoves(outpost.origin);
    const failed = moves.filter(({ state }) => state === "failed");
    expect(failed.length).toBeGreaterThan(1);
    expect(failed.length).toBeLessThan(4);
    expect(failed[0]?.error_message).toContain("ENOSPC");
    for (const { project } of failed) {
      expect((await commitFile(outpost.origin, project.id, "more", "text")).status).toBe(201);
    }
    await checkAll(outpost.origin, projects, folders);
  });
});
