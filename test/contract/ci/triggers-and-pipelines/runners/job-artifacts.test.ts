import { describe, expect, spyOn, test } from "bun:test";
import { jobArtifacts } from "../../../../../src/modules/ci/job-artifacts/records.ts";
import { RequestLoad, type Transfer } from "../../../../../src/modules/kernel/request-load.ts";
import { makePipeline, putCiFile } from "../../../../support/ci/pipelines.ts";
import { finishJob, makeRunner, takeJob } from "../../../../support/ci/runner.ts";
import { zipOf } from "../../../../support/ci/zip.ts";
import { type Json, rootToken, startWorld } from "../../../../support/fixtures/world.ts";

import { until } from "../../../../support/process/fault-client.ts";
import { addMember } from "../../../groups-and-projects/setting.ts";
import { makeProject } from "../setting.ts";

const world = await startWorld();
const load = world.context.get(RequestLoad);

const ci = `
compile:
  stage: build
  script: x
  artifacts: {name: out, paths: [dist/, "*.log"], exclude: [dist/tmp], when: always, expire_in: 1 week, reports: {junit: [report.xml]}}
check: {stage: test, script: x}
`;

async function running(attributes: Readonly<Record<string, unknown>> = {}, file = ci) {
  const { id } = await makeProject(world, attributes);
  await putCiFile(world, id, file);
  await makePipeline(world, id);
  const runner = await makeRunner(world, { runner_type: "project_type", project_id: id });
  const job = await takeJob(world, runner);
  const path = `/projects/${id}/jobs/${job.id}`;
  return { id: id as number, job, runner, path, shown: async () => (await world.get(path)).body };
}

function upload(
  job: Json,
  text: string | Uint8Array<ArrayBuffer>,
  query: Readonly<Record<string, string>> = {},
  token: string = job.token,
  name = "artifacts.zip",
) {
  const multipart = new FormData();
  multipart.set("file", new File([text], name, { type: "application/octet-stream" }));
  return world.call("POST", `/jobs/${job.id}/artifacts`, { multipart, query, headers: { "JOB-TOKEN": token } });
}

const download = (job: Json, token: string) =>
  world.call("GET", `/jobs/${job.id}/artifacts`, { headers: { "JOB-TOKEN": token } });

test("the job payload names the artifacts to upload", async () => {
  const { job } = await running();
  const common = { when: "always", expire_in: "1 week" };
  const archive = { name: "out", untracked: false, paths: ["dist/", "*.log"], exclude: ["dist/tmp"] };
  expect(job.artifacts).toEqual([
    { ...common, ...archive, artifact_type: "archive", artifact_format: "zip" },
    { ...common, name: "junit.xml", paths: ["report.xml"], artifact_type: "junit", artifact_format: "gzip" },
  ]);
});

test("uploaded artifacts are shown, and readers of the job download them", async () => {
  const { job, path, shown } = await running();
  const { status, body } = await upload(job, "the archive", { expire_in: "1 day" });
  expect([status, body]).toEqual([201, 201]);
  await upload(job, "a report", { artifact_type: "junit", artifact_format: "gzip" });
  expect(await shown()).toMatchObject({
    artifacts: [
      { file_type: "archive", size: 11, filename: "artifacts.zip", file_format: "zip" },
      { file_type: "junit", size: 8, filename: "artifacts.zip", file_format: "gzip" },
    ],
    artifacts_file: { filename: "artifacts.zip", size: 11 },
    artifacts_expire_at: world.clock.time(24 * 60 * 60 * 1000),
  });
  const answer = await world.get(`${path}/artifacts`);
  expect([answer.status, answer.text]).toEqual([200, "the archive"]);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "application/octet-stream",
    "content-disposition": "attachment; filename=\"artifacts.zip\"; filename*=UTF-8''artifacts.zip",
    "content-transfer-encoding": "binary",
  });
  const { token } = await world.user();
  expect((await world.call("GET", `${path}/artifacts`, { token })).status).toBe(404);
  expect((await upload(job, "another")).status).toBe(400);
  expect((await world.get(`${path}/artifacts`)).text).toBe("the archive");
});

describe("an archive that is not public", () => {
  const roles = ["guest", "reporter", "developer", "maintainer"] as const;
  const [open, refused] = [
    [200, 200, 200, 200],
    [403, 403, 403, 403],
  ];
  /** For anonymous callers and strangers, then by role, then for administrators. */
  const table = [
    ["public: true", undefined, [...open, 200, 200, 200]],
    ["access: all", undefined, [...open, 200, 200, 200]],
    ["public: false", undefined, [...refused, 200, 200, 200]],
    ["access: developer", undefined, [...refused, 200, 200, 200]],
    ["access: maintainer", undefined, [...refused, 403, 200, 200]],
    ["access: none", undefined, [...refused, 403, 403, 403]],
    ["name: out", "private", [...refused, 200, 200, 200]],
    ["name: out", "none", [...refused, 403, 403, 403]],
    ["public: false", "public", [...open, 200, 200, 200]],
  ] as const;
  for (const [line, accessibility, expected] of table) {
    const name = accessibility === undefined ? line : `${line} and accessibility=${accessibility}`;
    test(`is kept from some by each way to download it: ${name}`, async () => {
      const file = `compile: {script: x, artifacts: {paths: [dist/], ${line}}}`;
      const { id, job, path, shown } = await running({ visibility: "public" }, file);
      const query = accessibility === undefined ? {} : { accessibility };
      expect((await upload(job, zipOf({ "dist/a.txt": "text" }), query)).status).toBe(201);
      expect((await download(job, job.token)).status).toBe(200);
      await finishJob(world, job, { state: "success" });
      const people = [undefined, (await world.user()).token];
      for (const role of roles) {
        const user = await world.user();
        addMember(world, { id }, user, role, "project");
        people.push(user.token);
      }
      people.push(rootToken);
      const ofRef = `/projects/${id}/jobs/artifacts/main`;
      for (const each of [`${path}/artifacts`, `${path}/artifacts/dist/a.txt`]) {
        const statuses = people.map(async (token) => (await world.call("GET", each, { token })).status);
        expect([each, await Promise.all(statuses)]).toEqual([each, [...expected]]);
      }
      for (const each of [`${ofRef}/download`, `${ofRef}/raw/dist/a.txt`]) {
        const query = { job: "compile" };
        const statuses = people.map(async (token) => (await world.call("GET", each, { token, query })).status);
        expect([each, await Promise.all(statuses)]).toEqual([each, [...expected]]);
      }
      expect((await shown()).artifacts_file.filename).toBe("artifacts.zip");
    });
  }

  test("has one of four kinds of access", async () => {
    const { job } = await running();
    const { status, body } = await upload(job, "x", { accessibility: "everybody" });
    expect([status, body.error]).toEqual([400, "accessibility does not have a valid value"]);
  });
});

test("a job without artifacts answers 404", async () => {
  const { job, path } = await running();
  expect((await world.get(`${path}/artifacts`)).status).toBe(404);
  expect((await download(job, job.token)).status).toBe(404);
});

test("only jobs that depend on it download them with their own token", async () => {
  const { job, runner } = await running();
  await upload(job, "the archive");
  await finishJob(world, job, { state: "success" });
  const next = await takeJob(world, runner);
  expect(next.dependencies).toEqual([
    { id: job.id, name: "compile", token: next.token, artifacts_file: { filename: "artifacts.zip", size: 11 } },
  ]);
  expect((await download(job, next.token)).text).toBe("the archive");
  const other = await running();
  for (const token of [other.job.token, job.token, "glcbt-unknown"]) {
    expect((await download(job, token)).status).toBe(403);
  }
});

test("a wrong token stores nothing, and neither does a finished job", async () => {
  const { job, shown } = await running();
  expect((await upload(job, "x", {}, "glcbt-unknown")).status).toBe(403);
  await finishJob(world, job, { state: "success" });
  const late = await upload(job, "x");
  expect([late.status, late.headers.get("job-status")]).toEqual([403, "success"]);
  expect((await shown()).artifacts).toEqual([]);
  const { status, body } = await world.call("POST", `/jobs/${job.id}/artifacts`, { form: { token: job.token } });
  expect([status, body.error]).toEqual([400, "file is missing"]);
});

test("without a job's token the server reads no large file", async () => {
  const { job } = await running();
  const large = "x".repeat(2 * 1024 * 1024);
  expect((await upload(job, large, {}, "glcbt-unknown")).status).toBe(401);
  expect((await upload(job, large)).status).toBe(201);
  expect((await upload(job, large, { token: job.token }, "")).status).toBe(201);
  await finishJob(world, job, { state: "success" });
  expect((await upload(job, large)).headers.get("job-status")).toBe("success");
});

test("they are deleted when they expire, when the job is erased, and with its project", async () => {
  const kept = (job: Json) => world.store.of(jobArtifacts).by.job_id.find(job.id).size;
  const [timed, erased, gone] = [await running(), await running(), await running()];
  await upload(timed.job, "x", { expire_in: "30 mins" });
  for (const { job } of [erased, gone]) await upload(job, "x", { expire_in: "never" });
  world.clock.advance(29 * 60_000);
  await world.jobsDone();
  expect(kept(timed.job)).toBe(1);
  world.clock.advance(60_000);
  await world.jobsDone();
  await finishJob(world, erased.job, { state: "success" });
  await world.call("POST", `${erased.path}/erase`, { token: rootToken });
  await world.call("DELETE", gone.path.replace(/\/jobs.*/, ""), { token: rootToken });
  await world.jobsDone();
  expect([timed, erased, gone].map(({ job }) => kept(job))).toEqual([0, 0, 0]);
});

test("a name that is cut within a character is still valid", async () => {
  const { job } = await running();
  expect((await upload(job, "x", {}, job.token, `${"a".repeat(254)}😀`)).status).toBe(201);
  const { status, headers } = await download(job, job.token);
  expect([status, headers.get("content-disposition")]).toEqual([
    200,
    `attachment; filename="${"a".repeat(254)}?"; filename*=UTF-8''${"a".repeat(254)}%EF%BF%BD`,
  ]);
});

const files = { "a b.txt": "plain", "dist/lib/app.js": "x".repeat(10_000), "dist/ä.txt": "umlaut", empty: "" };
const folder = { "dist/none/": "" };

test("one file of the archive is downloaded by its path", async () => {
  const { job, path } = await running();
  await upload(job, zipOf({ ...files, ...folder }));
  for (const [name, text] of Object.entries(files)) {
    const at = name.split("/").map(encodeURIComponent).join("/");
    const answer = await world.get(`${path}/artifacts/${at}`);
    expect([name, answer.status, answer.text]).toEqual([name, 200, text]);
    expect(answer.headers.get("content-type")).toBe("application/octet-stream");
    const saved = encodeURIComponent(name.split("/").at(-1) ?? "");
    expect(answer.headers.get("content-disposition")).toContain(`"; filename*=UTF-8''${saved}`);
  }
  for (const name of ["dist", "dist/lib", "dist/none/", "none.txt", "../a b.txt"]) {
    expect((await world.get(`${path}/artifacts/${encodeURIComponent(name)}`)).status).toBe(404);
  }
  const { token } = await world.user();
  expect((await world.call("GET", `${path}/artifacts/empty`, { token })).status).toBe(404);
});

/** An archive in whose table other bytes stand for the first file. */
function zipWith(named: Readonly<Record<string, string>>, at: number, bytes: readonly number[]) {
  const zip = zipOf(named);
  zip.set(bytes, Buffer.from(zip).indexOf("PK\x01\x02") + at);
  return zip;
}

test.each([
  ["nothing", new Uint8Array()],
  ["text", new TextEncoder().encode("the archive")],
  ["an archive that lost its beginning", zipOf(files).slice(200)],
  ["an archive whose table points nowhere", zipOf(files).map((byte, at, all) => (at === all.length - 3 ? 0xff : byte))],
  ["an end alone", zipOf({}).map((byte, at) => (at === 12 ? 0xff : byte))],
  ["an archive that is encrypted", zipWith({ empty: "x" }, 8, [1])],
  ["an archive with a length that takes more room", zipWith({ empty: "x" }, 20, [255, 255, 255, 255])],
])("%s has no such file", async (_, bytes) => {
  const { job, path } = await running();
  await upload(job, bytes);
  expect((await world.get(`${path}/artifacts/empty`)).status).toBe(404);
});

test("the artifacts of a ref are those of its newest successful pipeline", async () => {
  const { id, job, runner } = await running();
  const get = (end: string) => world.get(`/projects/${id}/jobs/artifacts/${end}`);
  await upload(job, zipOf(files));
  await finishJob(world, job, { state: "success" });
  expect((await get("main/download?job=compile")).status).toBe(404);
  await finishJob(world, (await takeJob(world, runner)) as Json, { state: "success" });
  await makePipeline(world, id);
  const raw = await get("main/raw/dist/lib/app.js?job=compile");
  expect([raw.status, raw.text]).toEqual([200, files["dist/lib/app.js"]]);
  expect((await get("main/download?job=compile")).status).toBe(200);
  for (const end of ["main/download?job=check", "main/download?job=none", "none/download?job=compile"]) {
    expect((await get(end)).status).toBe(404);
  }
  const { status, body } = await get("main/download");
  expect([status, body.error]).toEqual([400, "job is missing"]);
});

test("users keep them, or delete them without the log", async () => {
  const { job, path, shown } = await running();
  await upload(job, "x", { expire_in: "1 day" });
  const kept = await world.call("POST", `${path}/artifacts/keep`, { token: rootToken });
  expect([kept.status, kept.body.artifacts_expire_at]).toEqual([200, null]);
  world.clock.advance(25 * 60 * 60 * 1000);
  await world.jobsDone();
  expect((await shown()).artifacts).toHaveLength(1);
  expect((await world.call("DELETE", `${path}/artifacts`, { token: rootToken })).status).toBe(204);
  expect((await shown()).artifacts).toEqual([]);
  expect((await world.call("POST", `${path}/artifacts/keep`, { token: rootToken })).status).toBe(404);
});

test.each([
  ["public: false", ["developer", "maintainer"]],
  ["access: developer", ["developer", "maintainer"]],
  ["access: maintainer", ["maintainer"]],
  ["access: none", []],
  ["access: all", ["", "guest", "developer", "maintainer"]],
])("artifacts with %s are downloaded only by those whom the CI file lets", async (setting, readers) => {
  const { id } = await makeProject(world, { visibility: "public" });
  await putCiFile(world, id, `compile: {script: x, artifacts: {paths: [dist/], ${setting}}}`);
  await makePipeline(world, id);
  const runner = await makeRunner(world, { runner_type: "project_type", project_id: id });
  const job = (await takeJob(world, runner)) as Json;
  await upload(job, zipOf(files));
  await finishJob(world, job, { state: "success" });
  for (const level of ["", "guest", "developer", "maintainer"] as const) {
    const user = await world.user();
    if (level !== "") addMember(world, { id }, user, level, "project");
    for (const end of [
      `${job.id}/artifacts`,
      `${job.id}/artifacts/empty`,
      "artifacts/main/download?job=compile",
      "artifacts/main/raw/empty?job=compile",
    ]) {
      const { status } = await world.call("GET", `/projects/${id}/jobs/${end}`, { token: user.token });
      expect([level, end, status]).toEqual([level, end, readers.includes(level) ? 200 : 403]);
    }
  }
});

test("maintainers delete the artifacts of all jobs of a project", async () => {
  const [one, other] = [await running(), await running()];
  for (const { job } of [one, other]) {
    await upload(job, "x", { expire_in: "never" });
    await upload(job, "a report", { artifact_type: "junit", artifact_format: "gzip" });
    await finishJob(world, job, { state: "success" });
  }
  const developer = await world.user();
  addMember(world, { id: one.id }, developer, "developer", "project");
  const remove = (token?: string) => world.call("DELETE", `/projects/${one.id}/artifacts`, { token });
  expect([(await remove()).status, (await remove(developer.token)).status]).toEqual([401, 403]);
  const { status, body } = await remove(rootToken);
  expect([status, body]).toEqual([202, { message: "202 Accepted" }]);
  await world.jobsDone();
  expect([(await one.shown()).artifacts, (await other.shown()).artifacts.length]).toEqual([[], 2]);
});

test("the download of a file of an archive counts as an answer until it is sent or aborted", async () => {
  const { job, path } = await running();
  await upload(job, zipOf({ "a.txt": "a".repeat(100_000) }));
  const url = `${world.origin}/api/v4${path}/artifacts/a.txt`;
  const get = (method = "GET") => fetch(url, { method, headers: { "PRIVATE-TOKEN": rootToken } });
  const others: Transfer[] = [];
  try {
    expect(() => {
      for (;;) others.push(load.answers.begin({ isStranger: false, address: "127.0.0.1" }));
    }).toThrow("503");
    expect((await get()).status).toBe(503);
    others.pop()?.end();
    for (const method of ["GET", "HEAD", "GET"]) {
      const answer = await get(method);
      expect([method, answer.status]).toEqual([method, 200]);
      expect((await answer.text()).length).toBe(method === "HEAD" ? 0 : 100_000);
      await until("its place is free", () => load.answers.count === others.length);
    }
  } finally {
    for (const each of others) each.end();
  }
});

test("a large file is hashed and written in pieces, with pauses for other requests", async () => {
  const { job } = await running();
  const content = new Uint8Array(3_500_000).map((_, at) => at % 251);
  const update = spyOn(Bun.CryptoHasher.prototype, "update");
  expect((await upload(job, content)).status).toBe(201);
  const longest = Math.max(...update.mock.calls.map(([data]) => (data instanceof Uint8Array ? data.byteLength : 0)));
  update.mockRestore();
  expect(longest).toBe(1 << 20);
  const answer = await fetch(`${world.origin}/api/v4/jobs/${job.id}/artifacts`, {
    headers: { "JOB-TOKEN": job.token },
  });
  expect(Buffer.from(await answer.bytes()).equals(content)).toBe(true);
});
