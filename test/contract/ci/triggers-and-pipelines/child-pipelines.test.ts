import { describe, expect, test } from "bun:test";
import { insertArtifact } from "../../../../src/modules/ci/job-artifacts/index.ts";
import { listCurrentJobs } from "../../../../src/modules/ci/pipelines/index.ts";
import { pipelines } from "../../../../src/modules/ci/pipelines/records.ts";
import { ciJobs } from "../../../../src/modules/ci/pipelines/records-jobs.ts";
import { cancelJobs } from "../../../../src/modules/ci/pipelines/service-cancel.ts";
import { endJobs, putCiFile } from "../../../support/ci/pipelines.ts";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { bridgeTo, downstreamOf, oneJob, type Place } from "./downstream.ts";
import { filesOf } from "./setting.ts";

const world = await startWorld();
const { dora, place, make, show, bridgesOf, newest, count, outcome } = await downstreamOf(world);

describe("a child pipeline", () => {
  const parent = "child: {variables: {A: b}, trigger: {include: ci/child.yml, strategy: depend}}";

  /** A project whose CI file includes others. */
  async function family(files: Readonly<Record<string, string>>, ci = parent): Promise<Place> {
    const at = await place(oneJob);
    const { create } = filesOf(world, at.id, rootToken);
    for (const [path, content] of Object.entries(files)) await create(path, { content, commit_message: "x [skip ci]" });
    await putCiFile(world, at.id, ci);
    return at;
  }

  test("is created from another file of the same commit", async () => {
    const at = await family({ "ci/child.yml": "inner: {script: x, rules: [{if: '$A == \"b\"'}]}" });
    const { id, sha } = await make(at);
    const [{ downstream_pipeline: child }] = await bridgesOf(at, id);
    expect(child).toMatchObject({ source: "parent_pipeline", sha, ref: "main", project_id: at.id });
    await endJobs(world, child.id, "success");
    expect((await show(at, id)).status).toBe("success");
  });

  test("is listed only where children are asked for", async () => {
    const at = await family({ "ci/child.yml": "inner: {script: x}" });
    const { id } = await make(at);
    const [{ downstream_pipeline: child }] = await bridgesOf(at, id);
    const listed = async (query: string) =>
      (await world.get(`/projects/${at.id}/pipelines${query}`)).body.map((each: { id: number }) => each.id);
    expect(await listed("")).not.toContain(child.id);
    expect(await listed("?ref=main&status=pending")).not.toContain(child.id);
    expect(await listed("?source=parent_pipeline")).toEqual([child.id]);
  });

  test("is not the latest pipeline of its ref; its artifacts count for its parent", async () => {
    const more = `compile: {stage: build, script: x}\n${parent}`;
    const at = await family({ "ci/child.yml": "inner: {script: x}" }, more);
    const { id } = await make(at);
    await endJobs(world, id, "success");
    const [{ downstream_pipeline: child }] = await bridgesOf(at, id);
    await endJobs(world, child.id, "success");
    expect((await show(at, id)).status).toBe("success");
    expect((await world.get(`/projects/${at.id}/pipelines/latest`)).body.id).toBe(id);
    const compile = (await world.get(`/projects/${at.id}/pipelines/${id}/jobs`)).body.at(-1);
    const inner = (await world.get(`/projects/${at.id}/pipelines/${child.id}/jobs`)).body[0];
    const artifact = {
      project_id: at.id,
      file_type: "archive",
      file_format: "zip",
      filename: "a.zip",
    };
    const blob = await world.store.blobs.put([new TextEncoder().encode("the archive")]);
    for (const { id: job_id } of [compile, inner]) {
      world.store.transact((tx) => insertArtifact(tx, world.context, { ...artifact, job_id }, blob, undefined));
    }
    blob.release();
    for (const job of ["compile", "inner"]) {
      const found = await world.get(`/projects/${at.id}/jobs/artifacts/main/download?job=${job}`);
      expect([found.status, found.text]).toEqual([200, "the archive"]);
    }
  });

  test("is canceled with its parent", async () => {
    const at = await family({ "ci/child.yml": "inner: {script: x}" });
    const { id } = await make(at);
    const [{ downstream_pipeline: child }] = await bridgesOf(at, id);
    await world.call("POST", `/projects/${at.id}/pipelines/${id}/cancel`, { token: dora.token });
    expect([(await show(at, id)).status, (await show(at, child.id)).status]).toEqual(["canceled", "canceled"]);
  });

  test("is canceled in the background, if there are many of them", async () => {
    const jobs = Array.from({ length: 400 }, (_, n) => `j${n}: {script: x}`).join("\n");
    const bridges = ["a", "b", "c"].map((name) => `${name}: {trigger: {include: ci/child.yml}}`).join("\n");
    const at = await family({ "ci/child.yml": jobs }, bridges);
    const { id } = await make(at);
    const children = (await bridgesOf(at, id)).map(({ downstream_pipeline: child }) => child.id);
    const canceled = () =>
      children.flatMap((child) => listCurrentJobs(world.store, child)).filter(({ status }) => status === "canceled");
    world.store.transact((tx) => cancelJobs(tx, world.context, listCurrentJobs(world.store, id)));
    expect(canceled().length).toBe(800);
    await world.jobsDone();
    expect(canceled().length).toBe(1_200);
    for (const child of children) expect((await show(at, child)).status).toBe("canceled");
  });

  test("fails for a file that is not there or not read, and is not made without jobs", async () => {
    const away = await family({});
    const strange = await family({}, "child: {trigger: {include: [{remote: 'https://ci.example/x.yml'}]}}");
    for (const at of [away, strange]) {
      const { status, reason, made } = await outcome(at);
      expect([status, reason, made.status]).toEqual(["failed", "downstream_pipeline_creation_failed", "failed"]);
      expect((await show(at, made.id)).yaml_errors).toMatch(/^(Local|Remote) file `.*` /);
    }
    const { status, reason, made } = await outcome(
      await family({ "ci/child.yml": "inner: {script: x, rules: [{when: never}]}" }),
    );
    expect([status, reason, made]).toEqual(["failed", "downstream_pipeline_creation_failed", null]);
  });

  test("may have children, whose own are refused", async () => {
    const at = await family({ "ci/child.yml": parent });
    const before = count();
    await make(at);
    expect(count()).toBe(before + 3);
    const [last] = await bridgesOf(at, (await newest(at)).id);
    expect(last).toMatchObject({ status: "failed", failure_reason: "reached_max_descendant_pipelines_depth" });
    expect((await newest(at)).status).toBe("failed");
  });
});

describe("pipelines that create each other", () => {
  test("come to an end", async () => {
    const [one, other] = [await place(oneJob), await place(oneJob)];
    await putCiFile(world, one.id, bridgeTo(other.path));
    await putCiFile(world, other.id, bridgeTo(one.path));
    const before = count();
    await make(one);
    // one, other, one, other, one, other: the next would be the third time from other.
    expect(count()).toBeLessThanOrEqual(before + 7);
    const last = [await newest(one), await newest(other)].sort((a, b) => b.id - a.id)[0];
    const at = last.project_id === one.id ? one : other;
    expect(await bridgesOf(at, last.id)).toMatchObject([
      { status: "failed", failure_reason: "pipeline_loop_detected" },
    ]);
  });

  /** Copies of a downstream pipeline, and what its bridge says when it is tried again. */
  async function retryAfter(copies: number, jobsEach: number): Promise<string> {
    const there = await place(oneJob);
    const here = await place(bridgeTo(there.path));
    const { id } = await make(here);
    const [{ downstream_pipeline: down, id: jobId }] = await bridgesOf(here, id);
    const copy = world.store.of(pipelines).get(down.id);
    const [job] = listCurrentJobs(world.store, down.id);
    if (copy === undefined || job === undefined) throw new Error("no pipeline");
    world.store.transact((tx) => {
      for (let more = 0; more < copies; more += 1) {
        const own = { id: tx.nextId("pipelines"), iid: tx.nextId(`pipelines of project ${there.id}`) };
        const { id: pipeline_id } = tx.insert(pipelines, { ...copy, ...own });
        for (let at = 0; at < jobsEach; at += 1) {
          tx.insert(ciJobs, { ...job, id: tx.nextId("ci_jobs"), pipeline_id, status: "success" });
        }
      }
    });
    await world.call("POST", `/projects/${here.id}/jobs/${jobId}/retry`, { token: dora.token });
    await world.jobsDone();
    return (await bridgesOf(here, id))[0].failure_reason;
  }

  test("are at most a thousand", async () => {
    expect(await retryAfter(997, 0)).toBeUndefined();
    expect(await retryAfter(998, 0)).toBe("reached_max_pipeline_hierarchy_size");
  });

  test("have at most 50,000 jobs", async () => {
    // Beside those of the copies: the bridge and its retry, and the job of the pipeline that is there.
    expect(await retryAfter(100, 499)).toBeUndefined();
    expect(await retryAfter(100, 500)).toBe("reached_max_pipeline_hierarchy_size");
  });
});
