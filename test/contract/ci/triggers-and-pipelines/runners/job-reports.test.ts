import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { makePipeline, putCiFile } from "../../../../support/ci/pipelines.ts";
import { appendLog, finishJob, makeRunner, takeJob } from "../../../../support/ci/runner.ts";
import { type Json, rootToken, startWorld } from "../../../../support/fixtures/world.ts";
import { makeProject } from "../setting.ts";

const world = await startWorld();

async function project(ci: string) {
  const { id } = await makeProject(world);
  await putCiFile(world, id, ci);
  const runner = await makeRunner(world, { runner_type: "project_type", project_id: id });
  return {
    id: id as number,
    make: () => makePipeline(world, id),
    take: (): Promise<Json> => takeJob(world, runner),
    jobOf: async (job: Json): Promise<Json> => (await world.get(`/projects/${id}/jobs/${job.id}`)).body,
    pipelineOf: async ({ id: pipeline }: Json): Promise<Json> =>
      (await world.get(`/projects/${id}/pipelines/${pipeline}`)).body,
  };
}

function upload(job: Json, bytes: string | Uint8Array<ArrayBuffer>, query: Readonly<Record<string, string>> = {}) {
  const multipart = new FormData();
  multipart.set("file", new File([bytes], "report.gz", { type: "application/octet-stream" }));
  return world.call("POST", `/jobs/${job.id}/artifacts`, { multipart, query, headers: { "JOB-TOKEN": job.token } });
}

const dotenv = { artifact_type: "dotenv", artifact_format: "gzip" };
const packed = (text: string | Uint8Array) => new Uint8Array(gzipSync(text));
const variableOf = (job: Json, wanted: string) => job.variables.find(({ key }: Json) => key === wanted)?.value;

describe("a dotenv report", () => {
  const ci = `
a: {stage: build, script: x, artifacts: {reports: {dotenv: a.env}}}
stage: {stage: test, script: x, variables: {OWN: job, BOTH: job}}
without: {stage: test, script: x, dependencies: []}
needed: {stage: test, script: x, needs: [a]}
unneeded: {stage: test, script: x, needs: [{job: a, artifacts: false}]}
given: {stage: deploy, script: x, environment: {name: prod, url: $URL}}
`;

  test("becomes variables of the jobs that depend on its job", async () => {
    const { make, take } = await project(ci);
    await make();
    const first = await take();
    const text = 'VERSION=1.2\nBOTH = report \nURL=https://a.example\nQUOTED="a b"\nEMPTY=\nVERSION=1.3\n';
    expect((await upload(first, packed(text), dotenv)).status).toBe(201);
    await finishJob(world, first, { state: "success" });
    const found: Record<string, Json> = {};
    for (let job = await take(); job !== undefined; job = await take()) {
      found[job.job_info.name] = job;
      await finishJob(world, job, { state: "success" });
    }
    const versions = Object.entries(found).map(([name, job]) => [name, variableOf(job, "VERSION")]);
    expect(Object.fromEntries(versions)).toEqual({
      stage: "1.3",
      without: undefined,
      needed: "1.3",
      unneeded: undefined,
      given: "1.3",
    });
    expect(found.stage?.variables).toContainEqual({ key: "BOTH", value: "report", public: false, masked: false });
    expect([variableOf(found.stage, "QUOTED"), variableOf(found.stage, "EMPTY")]).toEqual(['"a b"', ""]);
    expect(variableOf(found.given, "CI_ENVIRONMENT_URL")).toBe("https://a.example");
  });

  test.each([
    ["{ 'KEY1': 'VAR1' }", "Invalid Format"],
    ["KEY1=VAR1\n\nKEY2=VAR2\n", "Invalid Format"],
    ["A=\0", "Invalid Format"],
    ["K E Y 1=VAR1", "Validation failed: Key can contain only letters, digits and '_'."],
    ["é=VAR1", "Validation failed: Key can contain only letters, digits and '_'."],
    ["=VAR1", "Validation failed: Key can't be blank, Key can contain only letters, digits and '_'."],
    [`${"K".repeat(256)}=x`, "Validation failed: Key is too long (maximum is 255 characters)"],
    [Array.from({ length: 21 }, (_, at) => `K${at}=x`).join("\n"), "Dotenv files cannot have more than 20 variables"],
  ])("of %p is refused: %s", async (text, message) => {
    const { make, take } = await project(ci);
    await make();
    const job = await take();
    const answer = await upload(job, packed(text), dotenv);
    expect([answer.status, answer.body]).toEqual([400, { message }]);
    expect((await upload(job, packed("A=1"), dotenv)).status).toBe(201);
  });

  test("is refused when it is no gzip, too large, or unpacks to too much", async () => {
    const { make, take } = await project(ci);
    await make();
    const job = await take();
    const messages = [];
    const noise = crypto.getRandomValues(new Uint8Array(5200));
    for (const bytes of ["A=1", noise, packed(`A=${"x".repeat(2_000_000)}`)]) {
      const answer = await upload(job, bytes, dotenv);
      messages.push([answer.status, answer.body.message]);
    }
    expect(messages).toEqual([
      [400, "Invalid Format"],
      [400, "Dotenv Artifact Too Big. Maximum Allowable Size: 5120"],
      [400, "Invalid Format"],
    ]);
  });

  test("may be in UTF-16, as shells of Windows write it", async () => {
    const { make, take } = await project(ci);
    await make();
    const first = await take();
    const bytes = Buffer.from("\ufeffVERSION=1.2\r\nNAME=日本\r\n", "utf16le");
    expect((await upload(first, packed(bytes), dotenv)).status).toBe(201);
    await finishJob(world, first, { state: "success" });
    const next = await take();
    expect([variableOf(next, "VERSION"), variableOf(next, "NAME")]).toEqual(["1.2", "日本"]);
  });
});

describe("an artifact", () => {
  const running = async () => {
    const { make, take, jobOf } = await project("a: {script: x}");
    await make();
    return { job: await take(), jobOf };
  };

  test.each([
    [{ artifact_type: "archive", artifact_format: "gzip" }, 400],
    [{ artifact_type: "junit", artifact_format: "raw" }, 400],
    [{ artifact_type: "junit", artifact_format: "gzip" }, 201],
    [{ artifact_type: "metrics_referee", artifact_format: "raw" }, 400],
    [{ artifact_type: "network_referee", artifact_format: "gzip" }, 201],
    [{ artifact_type: "sast", artifact_format: "raw" }, 201],
    [{ artifact_type: "dotenv", artifact_format: "raw" }, 400],
    [{ artifact_type: "unheard_of", artifact_format: "raw" }, 400],
  ])("of %p is answered with %d", async (query, status) => {
    const { job, jobOf } = await running();
    expect((await upload(job, "bytes", query)).status).toBe(status);
    expect((await jobOf(job)).artifacts).toHaveLength(status === 201 ? 1 : 0);
  });

  test("may be sent again, and not in the place of another", async () => {
    const { job, jobOf } = await running();
    expect((await upload(job, "first")).status).toBe(201);
    expect((await upload(job, "first")).status).toBe(201);
    const answer = await upload(job, "second");
    expect([answer.status, answer.body]).toEqual([
      400,
      { message: "another artifact of the same type already exists" },
    ]);
    expect((await jobOf(job)).artifacts).toMatchObject([{ file_type: "archive", size: 5 }]);
  });
});

describe("the coverage of a job", () => {
  const covered = async (pattern: string, log: string) => {
    const { make, take, jobOf, pipelineOf } = await project(`a: {script: x, coverage: '${pattern}'}\nb: {script: x}`);
    const pipeline = await make();
    const job = await take();
    await appendLog(world, job, log, 0);
    await finishJob(world, job, { state: "success" });
    await world.jobsDone();
    return [(await jobOf(job)).coverage, (await pipelineOf(pipeline)).coverage];
  };

  test.each([
    ["/\\(\\d+.\\d+\\%\\) covered/", "Coverage 1033 / 1051 LOC (98.29%) covered", 98.29, "98.29"],
    ["/\\(\\d+.\\d+\\%\\) covered/", "(98.39%) covered\n(98.29%) covered\nend\n", 98.29, "98.29"],
    ["/TOTAL\\s+\\d+\\s+\\d+\\s+(\\d{1,3}\\%)/", "TOTAL      9926   3489    65%", 65, "65.00"],
    ["/^(\\d+)\\%$/", "\n65%\r\n", 65, "65.00"],
    ["/\\d+\\.\\d+ ゴッドファット/", "95.0 ゴッドファット\n", 95, "95.00"],
    ["/very covered/", "Coverage (98.29%) covered", null, null],
    ["/^(\\d+)%/", "2024-05-22T12:43:46.962646Z 00O 71%\n", 71, "71.00"],
  ])("by %s of %p is %p", async (pattern, log, coverage, ofPipeline) => {
    expect(await covered(pattern, log)).toEqual([coverage, ofPipeline]);
  });

  test.each([
    ["a line that takes a pattern too long", "/a(?:.*b)?|\\d+%/", `${"a".repeat(2_000)} 12%`],
    ["the end of a long line", "/\\d+%/", `${"x".repeat(60_000)} 12%`],
    ["a pattern of many instructions", "/(a{30}){33}|\\d+%/", "12%"],
    ["a pattern that takes long to compile", `/${"[\\pL]".repeat(26)}|\\d+%/`, "12%"],
  ])("is not looked for in %s", async (_, pattern, log) => {
    expect(await covered(pattern, log)).toEqual([null, null]);
  });

  test("is found behind long lines and in a log of many pieces", async () => {
    const log = `cover 1%\ncover 42.5%\n${"x".repeat(200_000)}\n${"line\n".repeat(50_000)}`;
    expect(await covered("/cover (\\d+\\.?\\d*)%/", log)).toEqual([42.5, "42.50"]);
  });

  test("of a pipeline is the mean of its jobs, and a retried job counts no more", async () => {
    const { id, make, take, jobOf, pipelineOf } = await project(
      "a: {script: x, coverage: '/(\\d+)%/'}\nb: {script: x, coverage: '/(\\d+)%/'}",
    );
    const pipeline = await make();
    const run = async (log: string) => {
      const job = await take();
      await appendLog(world, job, log, 0);
      await finishJob(world, job, { state: "failed", failure_reason: "script_failure" });
      await world.jobsDone();
      return job;
    };
    const first = await run("30%");
    await run("45%");
    expect((await pipelineOf(pipeline)).coverage).toBe("37.50");
    await world.call("POST", `/projects/${id}/jobs/${first.id}/retry`, { token: rootToken });
    expect((await pipelineOf(pipeline)).coverage).toBe("45.00");
    const again = await run("no number");
    expect([(await jobOf(again)).coverage, (await pipelineOf(pipeline)).coverage]).toEqual([null, "45.00"]);
  });
});
