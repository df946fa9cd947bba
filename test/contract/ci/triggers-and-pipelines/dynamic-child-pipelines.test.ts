import { describe, expect, test } from "bun:test";
import { finishJob, makeRunner, takeJob } from "../../../support/ci/runner.ts";
import { zipOf } from "../../../support/ci/zip.ts";
import { type Json, startWorld } from "../../../support/fixtures/world.ts";
import { downstreamOf, type Place } from "./downstream.ts";

const world = await startWorld();
const { place, make, show, bridgesOf } = await downstreamOf(world);

const ci = (include: string) => `
generate: {stage: build, script: x, artifacts: {paths: [made.yml]}}
child: {stage: test, trigger: {include: ${include}}}
`;

/** Runs the job that makes the file, and shows what became of the bridge. */
async function bridgeAfter(at: Place, archive: Uint8Array<ArrayBuffer> | undefined): Promise<Json> {
  const runner = await makeRunner(world, { runner_type: "project_type", project_id: at.id });
  const { id } = await make(at);
  const job = await takeJob(world, runner);
  if (archive !== undefined) {
    const multipart = new FormData();
    multipart.set("file", new File([archive], "artifacts.zip"));
    const headers = { "JOB-TOKEN": job?.token };
    expect((await world.call("POST", `/jobs/${job?.id}/artifacts`, { multipart, headers })).status).toBe(201);
  }
  await finishJob(world, job as Json, { state: "success" });
  await world.jobsDone();
  return (await bridgesOf(at, id))[0];
}

describe("a child pipeline of a file that a job made", () => {
  test("is created when the job has ended", async () => {
    const at = await place(ci("[{artifact: made.yml, job: generate}]"));
    const { status, downstream_pipeline: made } = await bridgeAfter(
      at,
      zipOf({ "other.txt": "x", "made.yml": "inner: {script: x}\nmore: {script: x}" }),
    );
    expect([status, made.source]).toEqual(["success", "parent_pipeline"]);
    const { body } = await world.get(`/projects/${at.id}/pipelines/${made.id}/jobs`);
    expect(body.map(({ name }: Json) => name).sort()).toEqual(["inner", "more"]);
  });

  test("takes names in variables", async () => {
    const at = await place(`variables: {F: made}\n${ci("[{artifact: $F.yml, job: generate}]")}`);
    const { status } = await bridgeAfter(at, zipOf({ "made.yml": "inner: {script: x}" }));
    expect(status).toBe("success");
  });

  const big = `${"#".repeat(5 * 1024 * 1024 + 100)}\n`;
  const noise = Buffer.from(crypto.getRandomValues(new Uint8Array(65_536))).toString("hex");
  for (const [why, archive, error] of [
    ["the job left nothing", undefined, "Job `generate` not found in parent pipeline or does not have artifacts!"],
    [
      "the file is missing",
      { "x.yml": "a: b" },
      "Path `made.yml` does not exist inside the `generate` artifacts archive!",
    ],
    ["it is a folder", { "made.yml/": "" }, "Path `made.yml` was expected to be a file but it was a directory!"],
    ["it is empty", { "made.yml": " " }, "File `made.yml` is empty!"],
    ["it is no YAML", { "made.yml": "- x" }, "`made.yml`: Invalid configuration format"],
    [
      "it is large",
      { a: "", "made.yml": big },
      "The file `made.yml` in job `generate` is too large: 5 MiB exceeds maximum of 5 MiB",
    ],
    [
      "the archive is large",
      { a: noise.repeat(48) },
      "Artifacts archive for job `generate` is too large: 6 MiB exceeds maximum of 5 MiB",
    ],
  ] as const) {
    test(`fails when ${why}`, async () => {
      const at = await place(ci("[{artifact: made.yml, job: generate}]"));
      const {
        status,
        failure_reason,
        downstream_pipeline: made,
      } = await bridgeAfter(at, archive === undefined ? undefined : zipOf(archive));
      expect([status, failure_reason]).toEqual(["failed", "downstream_pipeline_creation_failed"]);
      expect((await show(at, made.id)).yaml_errors).toBe(error);
    });
  }

  test("is no part of other pipelines", async () => {
    const at = await place("include: [{artifact: made.yml, job: generate}]\njob: {script: x}");
    await expect(make(at)).rejects.toThrow(
      "Including configs from artifacts is only allowed when triggering child pipelines",
    );
  });
});
