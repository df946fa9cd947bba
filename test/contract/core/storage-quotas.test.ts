import { describe, expect, test } from "bun:test";
import type { Config } from "../../../src/config/config.ts";
import { type ProjectRecord, projects } from "../../../src/modules/groups-and-projects/projects/records.ts";
import { picture } from "../../support/browser/pictures.ts";
import { uploadTo } from "../../support/ci/packages.ts";
import { registryOf } from "../../support/ci/registry.ts";
import { putRunningJob } from "../../support/ci/running-job.ts";
import { alertSceneIn } from "../../support/fixtures/alerts.ts";
import { collectorOf, eventOf } from "../../support/fixtures/error-tracking.ts";
import { type Answer, rootToken, startWorld, type World } from "../../support/fixtures/world.ts";
import { filesOf, makeProject } from "../ci/triggers-and-pipelines/setting.ts";

const mebibyte = 1024 ** 2;
/** Bytes that no compression makes smaller. */
const noise = (bytes: number) => crypto.getRandomValues(new Uint8Array(Math.min(bytes, 65_536)));
const bytesOf = (bytes: number) => new Blob(Array.from({ length: bytes / 65_536 }, () => noise(65_536))).bytes();

const refusal = (reason: string) => ({ message: `507 Insufficient Storage - ${reason}` });
const perProject = refusal(`the project may store at most ${mebibyte} bytes`);
const inAll = refusal(`all projects together may store at most ${mebibyte} bytes`);
const diskFull = refusal("less than 100 % of the disk is free");

const outcome = ({ status, body }: Answer) => [status, body];
const sizeOf = async (world: World, id: number) =>
  (await world.get(`/projects/${id}?statistics=true`)).body.statistics.storage_size as number;

/** Every way to store many bytes in a project. */
const ways: readonly (readonly [
  string,
  (world: World, projectId: number, bytes: Uint8Array<ArrayBuffer>) => Promise<Answer>,
])[] = [
  ["a package", (world, id, raw) => uploadTo(world, id, "app/1/app.bin", { raw })],
  [
    "an artifact",
    (world, id, bytes) => {
      const { token, job } = putRunningJob(world, id, 1);
      const multipart = new FormData();
      multipart.set("file", new Blob([bytes]), "artifacts.zip");
      return world.call("POST", `/jobs/${job.id}/artifacts`, { multipart, headers: { "JOB-TOKEN": token } });
    },
  ],
  [
    "a commit",
    (world, id, bytes) =>
      filesOf(world, id, rootToken).create("big.bin", {
        content: Buffer.from(bytes).toString("base64"),
        encoding: "base64",
      }),
  ],
];

const text = (bytes: Uint8Array<ArrayBuffer>) => bytes.toBase64().slice(0, bytes.byteLength);

/** Further ways, with what answers a success. */
const otherWays: readonly (readonly [
  string,
  number,
  (world: World, projectId: number, bytes: Uint8Array<ArrayBuffer>) => Promise<Answer>,
])[] = [
  [
    "a snippet",
    201,
    (world, id, bytes) =>
      world.call("POST", `/projects/${id}/snippets`, {
        token: rootToken,
        json: { title: "T", file_name: "a", content: text(bytes) },
      }),
  ],
  [
    "a piece of a log",
    202,
    (world, id, bytes) => {
      const { token, job } = putRunningJob(world, id, 1);
      return world.call("PATCH", `/jobs/${job.id}/trace`, {
        raw: bytes,
        headers: { "JOB-TOKEN": token, "Content-Range": `0-${bytes.byteLength - 1}`, "Content-Type": "text/plain" },
      });
    },
  ],
  [
    "an error event",
    200,
    async (world, id, bytes) => (await collectorOf(world, id)).report(eventOf({ extra: { text: text(bytes) } })),
  ],
  [
    "an alert",
    200,
    async (world, id, bytes) => {
      const project = world.store.of(projects).get(id) as ProjectRecord;
      return (await alertSceneIn(world, project)).send({ title: "An alert", details: text(bytes) });
    },
  ],
];

async function start(settings: Partial<Config>) {
  const world = await startWorld(settings);
  return { world, project: await makeProject(world) };
}

describe("a quota of one project", async () => {
  const { world } = await start({ projectQuotaMb: 1 });
  const large = await bytesOf(mebibyte + 65_536);
  const half = await bytesOf(mebibyte / 2);

  test.each(ways)("refuses %s that does not fit, and stores nothing", async (_, store) => {
    const { id } = await makeProject(world);
    expect(outcome(await store(world, id, large))).toEqual([507, perProject]);
    expect(await sizeOf(world, id)).toBe(0);
    expect((await store(world, id, half)).status).toBe(201);
  });

  test("counts all kinds together, and is freed by deletions", async () => {
    const { id } = await makeProject(world);
    expect((await uploadTo(world, id, "app/1/one.bin", { raw: half })).status).toBe(201);
    for (const [, store] of ways)
      expect(outcome(await store(world, id, await bytesOf(mebibyte / 2 + 65_536)))).toEqual([507, perProject]);
    const { body } = await world.get(`/projects/${id}/packages`);
    expect((await world.call("DELETE", `/projects/${id}/packages/${body[0].id}`, { token: rootToken })).status).toBe(
      204,
    );
    await world.jobsDone();
    expect((await uploadTo(world, id, "app/2/one.bin", { raw: half })).status).toBe(201);
  });

  test("refuses an image's layer during the upload, and deletes its part", async () => {
    const { path_with_namespace: path } = await makeProject(world);
    const registry = registryOf(world);
    const { status, body } = await registry.pushBlob(path, large);
    expect([status, body.errors]).toEqual([507, [{ code: "DENIED", message: perProject.message }]]);
    const upload = await registry.begin(path);
    expect((await registry.call("PATCH", upload, { raw: half })).status).toBe(202);
    expect((await registry.call("PATCH", upload, { raw: await bytesOf(mebibyte) })).status).toBe(507);
    expect((await registry.call("GET", upload)).status).toBe(404);
    expect((await registry.pushBlob(path, half)).status).toBe(201);
  });

  test("counts the open uploads of images together, with all other kinds, until they end", async () => {
    const { id, path_with_namespace: path } = await makeProject(world);
    const registry = registryOf(world);
    const [first, second] = [await registry.begin(path), await registry.begin(path)];
    expect((await registry.call("PATCH", first, { raw: half })).status).toBe(202);
    const more = await bytesOf(mebibyte / 2 + 65_536);
    expect((await registry.call("PATCH", second, { raw: more })).status).toBe(507);
    for (const [, store] of ways) expect(outcome(await store(world, id, more))).toEqual([507, perProject]);
    expect((await registry.call("DELETE", first)).status).toBe(204);
    expect((await uploadTo(world, id, "app/1/app.bin", { raw: more })).status).toBe(201);
  });

  test("does not affect other projects and small writes", async () => {
    const { id } = await makeProject(world);
    expect((await uploadTo(world, id, "app/1/full.bin", { raw: await bytesOf(mebibyte) })).status).toBe(201);
    expect((await uploadTo(world, id, "app/1/more.bin", { raw: "x" })).status).toBe(507);
    const json = { title: "an issue" };
    expect((await world.call("POST", `/projects/${id}/issues`, { token: rootToken, json })).status).toBe(201);
    const { id: other } = await makeProject(world);
    expect((await uploadTo(world, other, "app/1/one.bin", { raw: half })).status).toBe(201);
  });
});

test.each(otherWays)(
  "a quota of one project refuses %s that does not fit, and counts it",
  async (_, success, store) => {
    const { world, project } = await start({ projectQuotaMb: 1 });
    const part = await bytesOf(mebibyte - 131_072);
    expect((await store(world, project.id, part)).status).toBe(success);
    const blobs = [...world.store.blobs.hashes()].length;
    expect((await store(world, project.id, await bytesOf(mebibyte / 2))).status).toBe(507);
    expect([...world.store.blobs.hashes()]).toHaveLength(blobs);
    const { id } = await makeProject(world);
    expect((await store(world, id, part)).status).toBe(success);
  },
);

test.each(otherWays)("a quota of all projects counts %s", async (_, success, store) => {
  const { world, project } = await start({ totalQuotaMb: 1 });
  expect((await store(world, project.id, await bytesOf(mebibyte - 131_072))).status).toBe(success);
  const { id: other } = await makeProject(world);
  for (const [, way] of ways)
    expect(outcome(await way(world, other, await bytesOf(mebibyte / 2)))).toEqual([507, inAll]);
  expect((await store(world, other, await bytesOf(mebibyte / 2))).status).toBe(507);
});

describe("what users store outside of projects", () => {
  const create = (world: World, token: string, bytes: Uint8Array<ArrayBuffer>) =>
    world.call("POST", "/snippets", { token, json: { title: "T", file_name: "a", content: text(bytes) } });

  test("has the quota of a project for each of them, and is freed by deletions", async () => {
    const world = await startWorld({ projectQuotaMb: 1 });
    const [ann, bob] = [await world.user(), await world.user()];
    const part = await bytesOf(mebibyte / 2);
    const first = await create(world, ann.token, part);
    const second = await create(world, ann.token, part);
    expect([first.status, second.status]).toEqual([201, 201]);
    const perUser = refusal(`a user may store at most ${mebibyte} bytes outside of projects`);
    expect(outcome(await create(world, ann.token, part))).toEqual([507, perUser]);
    const json = { content: text(await bytesOf(mebibyte / 2)) };
    expect((await world.call("PUT", `/snippets/${second.body.id}`, { token: ann.token, json })).status).toBe(507);
    expect((await create(world, bob.token, part)).status).toBe(201);
    await world.call("DELETE", `/snippets/${first.body.id}`, { token: ann.token });
    expect((await create(world, ann.token, part)).status).toBe(201);
  });

  test("counts in the quota of all projects, and is refused with too little free space", async () => {
    const world = await startWorld({ totalQuotaMb: 1 });
    const [ann, bob] = [await world.user(), await world.user()];
    expect((await create(world, ann.token, await bytesOf(mebibyte))).status).toBe(201);
    expect(outcome(await create(world, bob.token, await bytesOf(mebibyte / 2)))).toEqual([507, inAll]);
    const full = await startWorld({ minFreeSpace: 100 });
    expect(outcome(await create(full, (await full.user()).token, noise(1024)))).toEqual([507, diskFull]);
    const avatar = new FormData();
    avatar.set("avatar", new Blob([picture("png")]), "a.png");
    const { token } = await full.user();
    expect(outcome(await full.call("PUT", "/user/avatar", { token, multipart: avatar }))).toEqual([507, diskFull]);
  });
});

test("with too little free space, logs, error events and alerts are refused", async () => {
  const { world, project } = await start({ minFreeSpace: 100 });
  for (const [, , store] of otherWays) expect((await store(world, project.id, await bytesOf(65_536))).status).toBe(507);
});

test("a quota of all projects counts them together", async () => {
  const { world, project } = await start({ totalQuotaMb: 1 });
  const { id: other } = await makeProject(world);
  const part = await bytesOf(mebibyte - 65_536);
  expect((await uploadTo(world, project.id, "app/1/one.bin", { raw: part })).status).toBe(201);
  for (const [, store] of ways)
    expect(outcome(await store(world, other, await bytesOf(131_072)))).toEqual([507, inAll]);
  expect((await uploadTo(world, other, "app/1/one.bin", { raw: "x" })).status).toBe(201);
});

test("with too little free space, uploads are refused and small writes accepted", async () => {
  const { world, project } = await start({ minFreeSpace: 100 });
  for (const [, store] of ways) expect(outcome(await store(world, project.id, noise(1024)))).toEqual([507, diskFull]);
  const registry = registryOf(world);
  expect((await registry.pushBlob(project.path_with_namespace, "layer")).status).toBe(507);
  const json = { title: "an issue" };
  expect((await world.call("POST", `/projects/${project.id}/issues`, { token: rootToken, json })).status).toBe(201);
});

test("without quotas nothing is refused", async () => {
  const { world, project } = await start({});
  expect((await uploadTo(world, project.id, "app/1/one.bin", { raw: await bytesOf(2 * mebibyte) })).status).toBe(201);
});
