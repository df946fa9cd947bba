import { defineArea, type Reference, type Scenario } from "../../scenario.ts";
import { listOf, listWith, pattern } from "../../values.ts";
import { idOf, makeCiProject, makeRunner, takeJob } from "./common.ts";

/** A ZIP archive with `report.txt`. */
const archive = new Uint8Array(
  Buffer.from(
    "UEsDBBQAAAAAAAAAAAB9DhbaAwAAAAMAAAAKAAAAcmVwb3J0LnR4dG9rClBLAQIUABQAAAAAAAAAAAB9DhbaAwAAAAMAAAAKAAAAAAAAAAAAAAAAAAAAAAByZXBvcnQudHh0UEsFBgAAAAABAAEAOAAAACsAAAAAAA==",
    "base64",
  ),
);

export const pipelines = defineArea("pipelines", (scenario) => {
  const id = makeCiProject(scenario, "pipelines");
  const { build, later, one } = readPipeline(scenario, id);
  scenario.call("POST /projects/:id/jobs/:job_id/play", { id, job_id: later }, { expect: { name: "later" } });
  scenario.call("POST /projects/:id/jobs/:job_id/cancel", { id, job_id: build }, { expect: { name: "build" } });
  scenario.call(
    "GET /projects/:id/jobs/:job_id",
    { id, job_id: build },
    { expect: { status: "canceled" }, waits: true },
  );
  scenario.call("POST /projects/:id/jobs/:job_id/retry", { id, job_id: build }, { expect: { name: "build" } });
  // The job has neither a log nor artifacts.
  scenario.call("POST /projects/:id/jobs/:job_id/erase", { id, job_id: build }, { status: 403 });
  scenario.call("POST /projects/:id/pipelines/:pipeline_id/cancel", one, { expect: { id: one.pipeline_id } });
  scenario.call("GET /projects/:id/pipelines/:pipeline_id", one, { expect: { status: "canceled" }, waits: true });
  scenario.call("POST /projects/:id/pipelines/:pipeline_id/retry", one, { expect: { id: one.pipeline_id } });
  scenario.call("POST /projects/:id/pipelines/:pipeline_id/cancel", one);
  runJob(scenario, id);
  scenario.call("DELETE /projects/:id/pipelines/:pipeline_id", one);
  scenario.call("GET /projects/:id/pipelines/:pipeline_id", one, { status: 404 });
});

function readPipeline(scenario: Scenario, id: Reference) {
  scenario.call("GET /projects/:id/ci/lint", { id }, { expect: { valid: true, errors: listOf(0) } });
  scenario.call(
    "POST /projects/:id/ci/lint",
    { id },
    {
      json: { content: "job: {script: x, tags: y}" },
      status: 200,
      expect: { valid: false, errors: listOf(1) },
    },
  );
  scenario.call("POST /projects/:id/pipeline", { id }, { json: { ref: "no-such-branch" }, status: 400 });
  const made = scenario.call(
    "POST /projects/:id/pipeline",
    { id },
    {
      json: { ref: "main", variables: [{ key: "STAGE", value: "test" }] },
      expect: { ref: "main", project_id: id, source: "api" },
    },
  );
  const one = { id, pipeline_id: made.get("id") };
  scenario.call("GET /projects/:id/pipelines", { id }, { expect: listWith({ id: made.get("id") }) });
  scenario.call(
    "GET /projects/:id/pipelines/latest",
    { id },
    { query: { ref: "main" }, expect: { id: made.get("id") } },
  );
  scenario.call("GET /projects/:id/pipelines/:pipeline_id", one, { expect: { sha: pattern(/^[0-9a-f]{40}$/) } });
  scenario.call("GET /projects/:id/pipelines/:pipeline_id/variables", one, {
    expect: [{ key: "STAGE", value: "test" }],
    refusals: { guest: 403 },
  });
  scenario.call("PUT /projects/:id/pipelines/:pipeline_id/metadata", one, {
    json: { name: "A try" },
    expect: { name: "A try" },
  });
  scenario.call("GET /projects/:id/pipelines/:pipeline_id/bridges", one, { expect: listOf(0) });
  scenario.call("GET /-/projects/:id/pipelines/:pipeline_id/needs", one, { expect: listWith({ job: "build" }) });
  const jobs = scenario.call("GET /projects/:id/pipelines/:pipeline_id/jobs", one, {
    expect: listWith({ name: "later", status: "manual" }),
    waits: true,
  });
  const build = idOf(jobs, "build");
  scenario.call("GET /projects/:id/jobs", { id }, { expect: listWith({ id: build, name: "build" }) });
  scenario.call(
    "GET /projects/:id/jobs/:job_id",
    { id, job_id: build },
    { expect: { name: "build", pipeline: { id: made.get("id") } } },
  );
  return { one, build, later: idOf(jobs, "later") };
}

/** Lets a runner take a job, write its log, upload an artifact, and finish it. */
function runJob(scenario: Scenario, id: Reference): void {
  const taken = takeJob(scenario, id, makeRunner(scenario, id));
  const job = taken.get("id");
  const headers = { "JOB-TOKEN": taken.get("token") };
  scenario.call("GET /job", {}, { as: "anonymous", headers, expect: { id: job, name: "build", status: "running" } });
  scenario.call(
    "PATCH /jobs/:id/trace",
    { id: job },
    {
      as: "anonymous",
      headers: { ...headers, "Content-Range": "0-5" },
      content: { raw: "works\n", type: "text/plain" },
      expectHeaders: { Range: "0-6", "Job-Status": "running" },
    },
  );
  scenario.call(
    "POST /jobs/:id/artifacts",
    { id: job },
    {
      as: "anonymous",
      headers,
      content: { file: { field: "file", name: "artifacts.zip", bytes: archive } },
    },
  );
  scenario.call("GET /jobs/:id/artifacts", { id: job }, { as: "anonymous", headers });
  scenario.call(
    "PUT /jobs/:id",
    { id: job },
    { as: "anonymous", json: { token: taken.get("token"), state: "success" }, status: 200 },
  );
  scenario.call(
    "PUT /jobs/:id",
    { id: job },
    { as: "anonymous", json: { token: "wrong", state: "success" }, status: 403 },
  );
  scenario.call("GET /projects/:id/jobs/:job_id/trace", { id, job_id: job }, { expect: pattern(/works/) });
  readArtifacts(scenario, id, job);
  scenario.call("POST /projects/:id/jobs/:job_id/erase", { id, job_id: job }, { expect: { id: job } });
}

function readArtifacts(scenario: Scenario, id: Reference, job_id: Reference): void {
  const one = { id, job_id };
  const latest = { id, ref_name: "main" };
  const artifact_path = "report.txt";
  const query = { job: "build" };
  scenario.call("GET /projects/:id/jobs/:job_id/artifacts", one, {
    expectHeaders: { "Content-Type": pattern(/zip|octet-stream/) },
  });
  scenario.call(
    "GET /projects/:id/jobs/:job_id/artifacts/*artifact_path",
    { ...one, artifact_path },
    { expect: "ok\n" },
  );
  scenario.call("GET /projects/:id/jobs/artifacts/:ref_name/download", latest, { query });
  scenario.call(
    "GET /projects/:id/jobs/artifacts/:ref_name/raw/*artifact_path",
    { ...latest, artifact_path },
    { query, expect: "ok\n" },
  );
  scenario.call("POST /projects/:id/jobs/:job_id/artifacts/keep", one, { expect: { artifacts_expire_at: null } });
  scenario.call("DELETE /projects/:id/jobs/:job_id/artifacts", one);
  scenario.call("GET /projects/:id/jobs/:job_id/artifacts", one, { status: 404 });
  scenario.call("DELETE /projects/:id/artifacts", { id });
}
