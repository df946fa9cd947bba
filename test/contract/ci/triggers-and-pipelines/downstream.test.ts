import { describe, expect, test } from "bun:test";
import { advancePipeline, updateJobStatus } from "../../../../src/modules/ci/pipelines/index.ts";
import { pipelines } from "../../../../src/modules/ci/pipelines/records.ts";
import { ciJobs } from "../../../../src/modules/ci/pipelines/records-jobs.ts";
import { endJobs, putCiFile } from "../../../support/ci/pipelines.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { addMember } from "../../groups-and-projects/setting.ts";
import { bridgeTo, downstreamOf, oneJob } from "./downstream.ts";

const world = await startWorld();
const { dora, place, make, show, bridgesOf, newest, count, outcome } = await downstreamOf(world);

describe("a job with trigger: a project", () => {
  test("creates a pipeline there as its user, and succeeds", async () => {
    const there = await place(`${oneJob}\nnot: {script: x, rules: [{if: '$CI_PIPELINE_SOURCE != "pipeline"'}]}`);
    const here = await place(`bridge: {trigger: ${there.path}}\nafter: {stage: deploy, script: x}`);
    const { id } = await make(here);
    const made = await newest(there);
    expect(await show(there, made.id)).toMatchObject({ source: "pipeline", ref: "main", user: { username: "dora" } });
    const { body: jobs } = await world.get(`/projects/${there.id}/pipelines/${made.id}/jobs`);
    expect(jobs.map(({ name }: Json) => name)).toEqual(["job"]);
    const bridges = await bridgesOf(here, id);
    expect(bridges).toMatchObject([{ name: "bridge", status: "success", downstream_pipeline: { id: made.id } }]);
    for (const ofJobs of ["artifacts", "runner", "runner_manager", "artifacts_expire_at", "archived", "tag_list"]) {
      expect(bridges[0]).not.toHaveProperty(ofJobs);
    }
    // No job of a list, and no reader of there.
    const own = (await world.get(`/projects/${here.id}/pipelines/${id}/jobs`)).body;
    expect(own).toMatchObject([{ name: "after", status: "pending" }]);
    const reader = await world.user();
    addMember(world, here, reader, "reporter", "project");
    expect(await bridgesOf(here, id, reader.token)).toMatchObject([{ downstream_pipeline: null }]);
  });

  test("passes variables of the file on, given ones on request", async () => {
    const there = await place(oneJob);
    const ci = (forward: string) =>
      `variables: {WHERE: "to $NAME"}\nbridge: {variables: {NAME: ledger, OWN: $GIVEN}, trigger: {project: ${there.path}, forward: ${forward}}}`;
    const here = await place(ci("{}"));
    const handed = async () => {
      await make(here, { variables: [{ key: "GIVEN", value: "1" }] });
      const { body } = await world.get(`/projects/${there.id}/pipelines/${(await newest(there)).id}/variables`);
      return Object.fromEntries(body.map(({ key, value }: Json) => [key, value]));
    };
    expect(await handed()).toEqual({ WHERE: "to ledger", NAME: "ledger", OWN: "1" });
    await putCiFile(world, here.id, ci("{yaml_variables: false, pipeline_variables: true}"));
    expect(await handed()).toEqual({ GIVEN: "1" });
  });

  test("fails when a variable's expansion is gigabytes long", async () => {
    const there = await place(oneJob);
    const variables = `variables: {A: "${"x".repeat(50_000)}", B: "${"$A".repeat(50_000)}"}`;
    const here = await place(`${variables}\n${bridgeTo(there.path)}`);
    expect(await outcome(here)).toMatchObject({ status: "failed", reason: "downstream_pipeline_creation_failed" });
  });

  test("takes a branch, and variables in both names", async () => {
    const there = await place(oneJob);
    const branches = `/projects/${there.id}/repository/branches`;
    await world.call("POST", branches, { token: rootToken, json: { branch: "side/x", ref: "main" } });
    const namespace = there.path.slice(0, there.path.lastIndexOf("/"));
    const project = `$SPACE/${there.path.slice(namespace.length + 1)}`;
    const here = await place(
      `variables: {SPACE: ${namespace}}\nbridge: {variables: {B: x}, trigger: {project: ${project}, branch: "side/\${B}"}}`,
    );
    expect((await outcome(here)).made).toMatchObject({ ref: "side/x", project_id: there.id });
  });

  test("fails with the messages of the real system", async () => {
    const none = await place(bridgeTo("nobody/nothing"));
    const hidden = await place(bridgeTo((await place(oneJob, null)).path));
    const weak = await place(bridgeTo((await place(oneJob, "reporter")).path));
    const self = await place(oneJob);
    await putCiFile(world, self.id, bridgeTo(self.path));
    const broken = await place(oneJob);
    const badBranch = await place(bridgeTo(broken.path, ", branch: none"));
    const empty = await place(bridgeTo((await place("job: {script: x, rules: [{when: never}]}")).path));
    const before = count();
    const reasons = [];
    for (const at of [none, hidden, weak, self, badBranch, empty]) reasons.push(await outcome(at));
    const failed = (reason: string) => ({ status: "failed", reason, pipeline: "failed", made: null });
    expect(reasons).toEqual([
      failed("downstream_bridge_project_not_found"),
      failed("downstream_bridge_project_not_found"),
      failed("insufficient_bridge_permissions"),
      failed("invalid_bridge_trigger"),
      failed("downstream_pipeline_creation_failed"),
      failed("downstream_pipeline_creation_failed"),
    ]);
    expect(count()).toBe(before + reasons.length);
  });

  test("follows the other project's rules about pipelines and variables", async () => {
    const there = await place(oneJob);
    const here = await place(`bridge: {variables: {A: b}, trigger: ${there.path}}`);
    const change = (json: object) => world.call("PUT", `/projects/${there.id}`, { token: rootToken, json });
    await change({ ci_pipeline_variables_minimum_override_role: "maintainer" });
    expect((await outcome(here)).reason).toBe("downstream_pipeline_creation_failed");
    await change({ ci_pipeline_variables_minimum_override_role: "developer", builds_access_level: "disabled" });
    expect((await outcome(here)).reason).toBe("insufficient_bridge_permissions");
    await change({ builds_access_level: "enabled" });
    expect((await outcome(here)).status).toBe("success");
  });

  test("shows a pipeline with an invalid file, and fails", async () => {
    const there = await place("job: {stage: nowhere, script: x}");
    const { status, reason, made } = await outcome(await place(bridgeTo(there.path)));
    expect([status, reason]).toEqual(["failed", "downstream_pipeline_creation_failed"]);
    expect((await show(there, made.id)).yaml_errors).toContain("chosen stage nowhere does not exist");
  });

  test("that may fail does not fail the pipeline, and a manual one waits to be played", async () => {
    const allowed = await place(`${oneJob}\nbridge: {trigger: nobody/nothing, allow_failure: true}`);
    const { id } = await make(allowed);
    await endJobs(world, id, "success");
    expect((await show(allowed, id)).status).toBe("success");

    const there = await place(oneJob);
    const manual = await place(`bridge: {trigger: ${there.path}, when: manual, allow_failure: false}`);
    const made = await make(manual);
    const [{ id: jobId }] = await bridgesOf(manual, made.id);
    expect((await show(manual, made.id)).status).toBe("manual");
    const path = `/projects/${manual.id}/jobs/${jobId}`;
    expect((await world.call("POST", `${path}/play`, { token: dora.token })).status).toBe(200);
    await world.jobsDone();
    expect((await bridgesOf(manual, made.id))[0]).toMatchObject({ status: "success", downstream_pipeline: {} });
    expect((await world.get(path)).status).toBe(404);
  });

  test("reports its errors as errors of the file", async () => {
    for (const [trigger, text] of [
      ["{branch: x}", "jobs:b:trigger project should be a string (line 1, column 5)"],
      ["{project: a/b, include: c.yml}", "jobs:b:trigger config contains unknown keys: project (line 1, column 15)"],
      ["[1]", "jobs:b:trigger has to be either a string or a hash (line 1, column 5)"],
      ["{project: a/b, strategy: wait}", "jobs:b:trigger strategy should be depend or mirror (line 1, column 29)"],
      ["{project: 1}", "jobs:b:trigger project should be a string (line 1, column 15)"],
    ]) {
      const at = await place(`b: {trigger: ${trigger}}`);
      const json = { ref: "main" };
      const { body } = await world.call("POST", `/projects/${at.id}/pipeline`, { token: dora.token, json });
      expect(body).toEqual({ message: { base: [text] } });
    }
  });
});

describe("strategy: depend", () => {
  const depending = (path: string) =>
    `bridge: {trigger: {project: ${path}, strategy: depend}}\nlater: {stage: deploy, script: x}`;

  test("waits for the end of the other pipeline, and has its status", async () => {
    const there = await place(oneJob);
    const here = await place(depending(there.path));
    for (const [status, later] of [
      ["success", "pending"],
      ["failed", "skipped"],
    ] as const) {
      const { id } = await make(here);
      const [waiting] = await bridgesOf(here, id);
      expect([waiting.status, (await show(here, id)).status]).toEqual(["running", "running"]);
      await endJobs(world, waiting.downstream_pipeline.id, status);
      expect((await bridgesOf(here, id))[0].status).toBe(status);
      const { body } = await world.get(`/projects/${here.id}/pipelines/${id}/jobs`);
      expect(body).toMatchObject([{ name: "later", status: later }]);
    }
  });

  test("goes on in the background, each pipeline of a chain in a transaction of its own", async () => {
    const there = await place(oneJob);
    const here = await place(`bridge: {trigger: {project: ${there.path}, strategy: depend}}`);
    const { id } = await make(here);
    const down = await newest(there);
    const [job] = [...world.store.of(ciJobs).by.pipeline_id.find(down.id)].map((each) =>
      world.store.of(ciJobs).get(each),
    );
    if (job === undefined) throw new Error("the pipeline has no job");
    const statusOf = (pipeline: number) => world.store.of(pipelines).get(pipeline)?.status;
    const atOnce = world.store.transact((tx) => {
      updateJobStatus(tx, world.context, job, "success");
      advancePipeline(tx, world.context, down.id);
      return [statusOf(down.id), statusOf(id)];
    });
    expect(atOnce).toEqual(["success", "running"]);
    await world.jobsDone();
    expect(statusOf(id)).toBe("success");
  });

  test("is canceled with it; a retry lets it run again", async () => {
    const there = await place(oneJob);
    const here = await place(depending(there.path));
    const { id } = await make(here);
    const down = await newest(there);
    const act = async (action: string) => {
      await world.call("POST", `/projects/${there.id}/pipelines/${down.id}/${action}`, { token: dora.token });
      await world.jobsDone();
      return [(await bridgesOf(here, id))[0].status, (await show(here, id)).status];
    };
    expect(await act("cancel")).toEqual(["canceled", "canceled"]);
    expect(await act("retry")).toEqual(["running", "running"]);
    await endJobs(world, down.id, "success");
    await endJobs(world, id, "success");
    expect((await show(here, id)).status).toBe("success");
  });

  test("survives the deletion of the other pipeline, alone or with its project", async () => {
    for (const way of ["pipeline", "project"]) {
      const there = await place(oneJob);
      const here = await place(depending(there.path));
      const { id } = await make(here);
      const end = way === "pipeline" ? `/pipelines/${(await newest(there)).id}` : "";
      await world.call("DELETE", `/projects/${there.id}${end}`, { token: rootToken });
      await world.jobsDone();
      expect((await bridgesOf(here, id))[0]).toMatchObject({ status: "failed", downstream_pipeline: null });
      expect((await show(here, id)).status).toBe("failed");
    }
  });

  test("creates another pipeline on a retry of a failure", async () => {
    const there = await place(oneJob, "reporter");
    const here = await place(depending(there.path));
    const { id } = await make(here);
    addMember(world, there, dora, "developer", "project");
    await world.call("POST", `/projects/${here.id}/pipelines/${id}/retry`, { token: dora.token });
    await world.jobsDone();
    expect(await bridgesOf(here, id)).toMatchObject([
      { status: "running", downstream_pipeline: { status: "pending" } },
    ]);
  });
});

test("a project that is being deleted creates no pipelines", async () => {
  const there = await place(oneJob);
  const here = await place(bridgeTo(there.path));
  await world.call("DELETE", `/projects/${there.id}`, { token: rootToken });
  expect((await outcome(here)).reason).toBe("downstream_bridge_project_not_found");
});
