import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { WorkBudget, withBudget } from "../../../../../src/domain/work-budget.ts";
import { type CiJobRecord, ciJobs } from "../../../../../src/modules/ci/pipelines/records-jobs.ts";
import { assignJob } from "../../../../../src/modules/ci/runner-api/service-assign.ts";
import { findOldestJobFor } from "../../../../../src/modules/ci/runner-api/service-waiting.ts";
import { type RunnerRecord, runners } from "../../../../../src/modules/ci/runners/records.ts";
import { selfAndAncestors } from "../../../../../src/modules/core/namespaces/index.ts";
import { projectSettingsOf, projects } from "../../../../../src/modules/groups-and-projects/projects/records.ts";
import { makePipeline, putCiFile } from "../../../../support/ci/pipelines.ts";
import { makeRunner, takeJob } from "../../../../support/ci/runner.ts";
import { putRunningJob } from "../../../../support/ci/running-job.ts";
import { placesOf, putMember } from "../../../../support/fixtures/places.ts";
import { rootToken, startWorld } from "../../../../support/fixtures/world.ts";
import { makeProject } from "../setting.ts";

const seed = Number(process.env.TEST_SEED ?? 20_260_314);
const world = await startWorld();
const { store, context } = world;
const { group, project } = placesOf(world);

/** Puts jobs of one pipeline into the store that differ from a pending one. */
function putJobs(projectId: number, userId: number, jobs: readonly Partial<CiJobRecord>[]): CiJobRecord[] {
  const { job } = putRunningJob(world, projectId, userId, { status: "success" });
  const { token_digest: _, ...like } = job;
  return store.transact((tx) =>
    jobs.map((attributes) =>
      tx.insert(ciJobs, { ...like, id: tx.nextId("ci_jobs"), status: "pending", started_at: null, ...attributes }),
    ),
  );
}

function clear(): void {
  store.transact((tx) => {
    for (const { id } of pending())
      tx.update(ciJobs, { ...(store.of(ciJobs).get(id) as CiJobRecord), status: "failed" });
  });
}

function pending(): CiJobRecord[] {
  return [...store.of(ciJobs).by.status.find("pending")].map((id) => store.of(ciJobs).get(id) as CiJobRecord);
}

await makeRunner(world);
const [sample] = [...store.of(runners).by.type.find("instance_type")].map((id) => store.of(runners).get(id));
const runnerLike = (attributes: Partial<RunnerRecord>) => ({ ...(sample as RunnerRecord), ...attributes });

const stepsOf = (runner: RunnerRecord) => {
  const budget = new WorkBudget();
  const found = withBudget(budget, () => findOldestJobFor(context, runner, { jobAgeSeconds: 0 }));
  return { found, steps: budget.steps };
};

describe("the oldest job for a runner", () => {
  const top = group();
  const below = group({ parent_id: top.id });
  const other = group();
  const places = [
    project(top.id),
    project(below.id),
    project(other.id),
    project(below.id, { settings: { shared_runners_enabled: false } }),
    project(below.id, { settings: { group_runners_enabled: false } }),
    project(top.id, { settings: { builds_access_level: "disabled" } }),
  ];
  const tags = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d"), { maxLength: 4 });
  const jobs = fc.array(
    fc.record({
      place: fc.nat(places.length - 1),
      tag_list: fc.oneof(tags, fc.array(fc.constantFrom("a", "b"), { maxLength: 3 })),
      status: fc.constantFrom("pending", "pending", "created", "running", "success"),
      is_bridge: fc.constantFrom(false, false, false, true),
      isProtected: fc.boolean(),
    }),
    { maxLength: 30 },
  );
  const anyRunner = fc.record({
    runner_type: fc.constantFrom("instance_type", "group_type", "project_type"),
    group_id: fc.constantFrom(top.id, below.id, other.id),
    project_ids: fc.subarray(places.map(({ id }) => id)),
    tag_list: tags,
    run_untagged: fc.boolean(),
    paused: fc.constantFrom(false, false, false, true),
    locked: fc.boolean(),
    access_level: fc.constantFrom("not_protected", "ref_protected"),
  });

  /** Asks each pending job, by id. */
  function plainOldest(runner: RunnerRecord): CiJobRecord | undefined {
    if (runner.paused) return undefined;
    return pending().find((job) => {
      const place = store.of(projects).get(job.project_id);
      if (place === undefined || job.is_bridge) return false;
      const settings = projectSettingsOf(place);
      const isServed = {
        instance_type: settings.shared_runners_enabled,
        group_type:
          settings.group_runners_enabled &&
          selfAndAncestors(store, place.namespace_id).some(({ id }) => id === runner.group_id),
        project_type: runner.project_ids.includes(place.id),
      }[runner.runner_type];
      const takesTags =
        job.tag_list.length === 0 ? runner.run_untagged : job.tag_list.every((tag) => runner.tag_list.includes(tag));
      const takesRef = runner.access_level === "not_protected" || job.is_protected === true;
      return settings.builds_access_level !== "disabled" && isServed && takesTags && takesRef;
    });
  }

  test("is the one that a look at each job finds, while jobs come and go", () => {
    fc.assert(
      fc.property(
        fc.array(jobs, { maxLength: 3 }),
        fc.array(anyRunner, { minLength: 1, maxLength: 6 }),
        (rounds, wanted) => {
          clear();
          for (const round of rounds) {
            for (const { place, isProtected, ...attributes } of round) {
              const ofRef = isProtected ? { is_protected: true as const } : {};
              putJobs((places[place] as { id: number }).id, 1, [{ ...attributes, ...ofRef }]);
            }
            for (const attributes of wanted) {
              const runner = runnerLike(attributes);
              const found = findOldestJobFor(context, runner, { jobAgeSeconds: 0 });
              expect(found).toEqual(plainOldest(runner));
              if (found !== undefined) store.transact((tx) => tx.update(ciJobs, { ...found, status: "running" }));
            }
          }
        },
      ),
      { seed, numRuns: 60 },
    );
    clear();
  });

  test("is found without a look at lines that other tags have", () => {
    const crowded = project(top.id);
    putJobs(
      crowded.id,
      1,
      Array.from({ length: 5_000 }, (_, at) => ({ tag_list: [`a${at}`, "x"] })),
    );
    const [wanted] = putJobs(crowded.id, 1, [{ tag_list: ["x"] }]);
    const { found, steps } = stepsOf(runnerLike({ tag_list: ["x"], run_untagged: false }));
    expect(found?.id).toBe(wanted?.id as number);
    expect(steps).toBeLessThan(500);
    expect(stepsOf(runnerLike({ tag_list: ["y"] })).steps).toBeLessThan(500);
    clear();
  });

  test("is found without a look at projects that a runner does not serve", () => {
    for (let count = 0; count < 200; count += 1) putJobs(project(other.id).id, 1, [{}]);
    const own = project(top.id);
    const [wanted] = putJobs(own.id, 1, [{}]);
    const { found, steps } = stepsOf(runnerLike({ runner_type: "project_type", project_ids: [own.id] }));
    expect(found?.id).toBe(wanted?.id as number);
    expect(steps).toBeLessThan(500);
    clear();
  });

  test("takes steps of a bounded number in a project whose lines share the tags of the runner", () => {
    const tag_list = Array.from({ length: 13 }, (_, at) => `t${at}`).sort();
    const crowded = project(top.id);
    const combinations = Array.from({ length: 8_192 }, (_, bits) => tag_list.filter((_tag, at) => (bits >> at) & 1));
    putJobs(
      crowded.id,
      1,
      combinations.map((some) => ({ tag_list: [...some, "z"] })),
    );
    expect(stepsOf(runnerLike({ tag_list }))).toMatchObject({ found: undefined });
    expect(stepsOf(runnerLike({ tag_list })).steps).toBeLessThan(2_000 * 25 + 500);
    clear();
  });
});

describe("jobs of a user who may not act any more", () => {
  async function plant(count: number) {
    const user = await world.user();
    const place = await makeProject(world);
    putMember(world, { type: "project", id: place.id }, user.id, 40);
    const token = await makeRunner(world, { runner_type: "project_type", project_id: place.id });
    const jobs = putJobs(
      place.id,
      user.id,
      Array.from({ length: count }, (_, at) => ({ name: `j${at}` })),
    );
    const reasons = () => jobs.map(({ id }) => store.of(ciJobs).get(id)?.failure_reason);
    return { user, place, token, reasons };
  }
  const ended = (reasons: readonly unknown[]) => reasons.filter((reason) => reason === "user_blocked").length;

  test.each(["block", "ban"])("end in the background after %s, though no runner asks", async (verb) => {
    const { user, reasons } = await plant(50);
    const { status } = await world.call("POST", `/users/${user.id}/${verb}`, { token: rootToken });
    expect(status).toBe(201);
    await world.jobsDone();
    expect(ended(reasons())).toBe(50);
  });

  test("end in the background when the user is deleted", async () => {
    const { user, reasons } = await plant(30);
    expect((await world.call("DELETE", `/users/${user.id}`, { token: rootToken })).status).toBe(204);
    await world.jobsDone();
    expect(ended(reasons())).toBe(30);
  });

  test("are a few for one request of a runner, and the background ends the others", async () => {
    const { user, place, token, reasons } = await plant(100);
    world.alter(user.id, { state: "blocked" });
    const [other] = putJobs(place.id, 1, [{ name: "other" }]);
    expect(await takeJob(world, token)).toBeUndefined();
    await world.jobsDone();
    expect(ended(reasons())).toBe(100);
    expect(await takeJob(world, token)).toMatchObject({ id: other?.id });
  });

  test("are three for one look, and the others stay for a user who may act again", async () => {
    const { user, place, reasons } = await plant(10);
    world.alter(user.id, { state: "blocked" });
    const runner = runnerLike({ runner_type: "project_type", project_ids: [place.id] });
    const taker = { runner, managerId: 1, features: new Set<string>(), jobAgeSeconds: 0 };
    expect(assignJob(context, taker)).toBeUndefined();
    expect(ended(reasons())).toBe(3);
    world.alter(user.id, { state: "active" });
    await world.jobsDone();
    expect(ended(reasons())).toBe(3);
  });
});

describe("the active jobs of a project", () => {
  test("are limited: no pipeline follows, and a push gets one that says why", async () => {
    const place = await makeProject(world);
    await putCiFile(world, place.id, "job: {script: x}");
    putJobs(
      place.id,
      1,
      Array.from({ length: 50_000 }, () => ({ status: "created" })),
    );
    const path = `/projects/${place.id}/pipeline`;
    const { status, body } = await world.call("POST", path, { token: rootToken, json: { ref: "main" } });
    const text = "Project exceeded the allowed number of jobs in active pipelines.";
    expect([status, body]).toEqual([400, { message: { base: [text] } }]);
    await putCiFile(world, place.id, "job: {script: y}", { message: "Change the job" });
    const [pushed] = (await world.get(`/projects/${place.id}/pipelines`)).body;
    expect(pushed).toMatchObject({ status: "failed", source: "push" });
    expect((await world.get(`/projects/${place.id}/pipelines/${pushed.id}`)).body.yaml_errors).toBe(text);
    await makePipeline(world, await readyProject());
  });

  async function readyProject(): Promise<number> {
    const { id } = await makeProject(world);
    await putCiFile(world, id, "job: {script: x}");
    return id;
  }
});
