import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { finishJob, makeRunner, takeJob } from "../../../support/ci/runner.ts";
import { type Json, startWorld } from "../../../support/fixtures/world.ts";
import { downstreamOf, oneJob, type Place } from "./downstream.ts";

const world = await startWorld();
const { place, make, newest } = await downstreamOf(world);

async function handed({ id }: Place, pipelineId: number): Promise<Json> {
  const { body } = await world.get(`/projects/${id}/pipelines/${pipelineId}/variables`);
  return Object.fromEntries(
    body.map(({ key, value, raw, variable_type }: Json) => [
      key,
      raw ? { value, raw } : variable_type === "file" ? { value, variable_type } : value,
    ]),
  );
}

describe("the variables that a trigger job passes on", () => {
  test("know the pipeline, and not the job", async () => {
    const there = await place(oneJob);
    const here = await place(
      `bridge: {variables: {ID: "$CI_PIPELINE_ID-$CI_JOB_ID", URL: $CI_PIPELINE_URL, NAME: $CI_JOB_NAME}, trigger: ${there.path}}`,
    );
    const { id } = await make(here);
    const URL = `http://localhost/${here.path}/-/pipelines/${id}`;
    const found = await handed(there, (await newest(there)).id);
    expect(found).toMatchObject({ ID: `${id}-`, NAME: "bridge" });
    expect(found.URL).toEndWith(new globalThis.URL(URL).pathname);
  });

  test("stay as they are if they are not to be expanded", async () => {
    const there = await place(oneJob);
    const here = await place(`
variables: {ALL: {value: "$CI_PIPELINE_ID", expand: false}, OVER: {value: "$A", expand: false}}
bridge:
  variables: {OWN: {value: "a$b", expand: false}, OVER: "x$ALL"}
  trigger: ${there.path}
`);
    await make(here);
    const made = (await newest(there)).id;
    expect(await handed(there, made)).toEqual({
      ALL: { value: "$CI_PIPELINE_ID", raw: true },
      OWN: { value: "a$b", raw: true },
      OVER: "x$CI_PIPELINE_ID",
    });
    const runner = await makeRunner(world, { runner_type: "project_type", project_id: there.id });
    const job = await takeJob(world, runner);
    expect(job?.variables).toContainEqual({ key: "OWN", value: "a$b", public: false, masked: false, raw: true });
  });

  test("are expanded when they were given, and files stay files", async () => {
    const there = await place(oneJob);
    const here = await place(
      `bridge: {variables: {PLACE: "at $PAPER"}, trigger: {project: ${there.path}, forward: {pipeline_variables: true}}}`,
    );
    const variables = [
      { key: "GIVEN", value: "in $CI_PIPELINE_ID" },
      { key: "PAPER", value: "text", variable_type: "file" },
    ];
    const { id } = await make(here, { variables });
    expect(await handed(there, (await newest(there)).id)).toEqual({
      PLACE: "at $PAPER",
      GIVEN: `in ${id}`,
      PAPER: { value: "text", variable_type: "file" },
    });
  });

  for (const [forward, expected] of [
    ["{}", { FROM: "v1" }],
    ["{pipeline_variables: true}", { FROM: "v1", VERSION: "v1" }],
  ] as const) {
    test(`know the reports of the jobs before: forward ${forward}`, async () => {
      const there = await place(oneJob);
      const here = await place(`
build: {stage: build, script: x, artifacts: {reports: {dotenv: a.env}}}
bridge: {stage: test, variables: {FROM: $VERSION}, trigger: {project: ${there.path}, forward: ${forward}}}
`);
      const runner = await makeRunner(world, { runner_type: "project_type", project_id: here.id });
      await make(here);
      const job = (await takeJob(world, runner)) as Json;
      const multipart = new FormData();
      multipart.set("file", new File([gzipSync("VERSION=v1\n")], ".env.gz"));
      const query = { artifact_type: "dotenv", artifact_format: "gzip" };
      await world.call("POST", `/jobs/${job.id}/artifacts`, { multipart, query, headers: { "JOB-TOKEN": job.token } });
      await finishJob(world, job, { state: "success" });
      await world.jobsDone();
      expect(await handed(there, (await newest(there)).id)).toEqual(expected);
    });
  }
});
