import { accessLevels } from "../../domain/access-level.ts";
import { type Commit, noOid } from "../../git/index.ts";
import { dayMs } from "../../lib/datetime.ts";
import { finished, insertPipeline, type PlannedJobs, planJobs, statusOf } from "../../modules/ci/pipelines/index.ts";
import type { PipelineRecord, PipelineSource } from "../../modules/ci/pipelines/records.ts";
import { type CiJobRecord, ciJobs, untouched } from "../../modules/ci/pipelines/records-jobs.ts";
import { JobLogs } from "../job-logs.ts";
import { type Step, walk } from "../job-walk.ts";
import { type History, type Organisation, type Person, randomMember, type SeededProject } from "../organisation.ts";
import type { SeededRandom } from "../seeded-random.ts";
import { type SeededRunner, seedRunners } from "./runners.ts";

type Built = SeededProject & { readonly history: History & { readonly ciFile: string } };

const failures = [
  "script_failure",
  "script_failure",
  "script_failure",
  "runner_system_failure",
  "job_execution_timeout",
];

/** The runners and the logs of jobs. */
interface Workshop {
  readonly runners: readonly SeededRunner[];
  readonly logs: JobLogs;
}

/** Creates pipelines, jobs and runners for the projects with a CI file. */
export async function seedPipelines(
  organisation: Organisation,
  run: (steps: Iterator<unknown>) => Promise<void>,
): Promise<void> {
  const built = organisation.projects.filter((project): project is Built => project.history?.ciFile !== undefined);
  const files = new Set(built.map(({ history }) => history.ciFile));
  const plans = [...files].flatMap((text) => [
    plannedFor(text, "main", false, "push"),
    plannedFor(text, "v1", true, "push"),
  ]);
  const scripts = plans.flatMap(({ jobs }) => jobs.map(({ config }) => config.script));
  const logs = await JobLogs.store(organisation, scripts);
  try {
    await run(inOrder(organisation, built, logs));
  } finally {
    logs.release();
  }
}

/** Adds the pipelines in the order of their times. */
function* inOrder(organisation: Organisation, built: readonly Built[], logs: JobLogs): Generator<undefined> {
  const random = organisation.random("pipelines");
  const workshop = { logs, runners: seedRunners(organisation) };
  const count = organisation.count(40, 1);
  const { from, until } = organisation;
  for (let at = 0; at < count; at += 1) {
    // The last few still run when the store is opened.
    const isLate = at >= count - 5;
    const raw = from + ((at + random.fraction()) / count) ** 0.7 * (until - from - dayMs);
    const time = isLate ? until - (6 - (count - at)) * 7 * 60_000 - 60_000 : organisation.shown(raw);
    const project = drawProject(random, built, time, isLate);
    if (project === undefined) continue;
    const author = randomMember(random, project, raw, accessLevels.developer);
    seedPipeline(organisation, workshop, random, project, { time, isLate, author });
    yield undefined;
  }
}

/** Returns a project that had its CI file at that time, busy ones more often. */
function drawProject(random: SeededRandom, built: readonly Built[], time: number, isLate: boolean): Built | undefined {
  for (let tries = 0; tries < 12; tries += 1) {
    const project = random.pick(built);
    const first = project.history.commits[project.history.ciSince] as Commit;
    if (first.committer.timestamp * 1000 >= time || (isLate && project.isArchived)) continue;
    if (project.isArchived && time > project.lastActivity + 30 * dayMs) continue;
    if (random.chance(Math.min(1, project.weight / 6))) return project;
  }
  return undefined;
}

function seedPipeline(
  organisation: Organisation,
  workshop: Workshop,
  random: SeededRandom,
  project: Built,
  { time, isLate, author }: { readonly time: number; readonly isLate: boolean; readonly author: Person },
): void {
  const { context, writing } = organisation;
  const source = random.weighted({ push: 12, web: 3, schedule: 4, api: 2, trigger: 1 });
  const { ref, tag, commit, before } = drawRef(random, project.history, time, source);
  const planned = plannedFor(project.history.ciFile, ref, tag, source);
  const steps = walk(random, planned.jobs, time, isLate);
  const status = statusOf(steps) ?? "skipped";
  const starts = steps.map(({ times }) => times.started).filter((start) => start !== null);
  const ends = steps.map(({ times }) => times.finished).filter((end) => end !== null);
  const started = starts.length === 0 ? null : Math.min(...starts);
  const hasEnded = finished.includes(status);
  const last = Math.max(time, ...ends);
  const stamp = (at: number | null) => (at === null ? null : organisation.exactly(at));
  const times = {
    started_at: stamp(started),
    finished_at: hasEnded ? stamp(last) : null,
    updated_at: organisation.exactly(last),
  };
  organisation.exactly(time);
  const pipeline = insertPipeline(
    writing,
    context,
    {
      request: { project: project.record, user: author.user, ref, source, variables: [], baseUrl: "" },
      found: { name: ref, tag, commit },
      beforeSha: before,
      outcome: planned,
    },
    { status, ...times },
  );
  const taker = workshop.runners.find(
    ({ serves }) => serves === undefined || `${project.path}/`.startsWith(`${serves}/`),
  );
  for (const step of steps) {
    for (const job of insertJob(organisation, random, taker, pipeline, step, time)) workshop.logs.write(job);
  }
  project.lastActivity = Math.max(project.lastActivity, last);
}

/** Inserts the job, and before it a failed attempt if it was retried. */
function insertJob(
  organisation: Organisation,
  random: SeededRandom,
  taker: SeededRunner | undefined,
  { id, project_id, user_id, ref_protected }: PipelineRecord,
  { times, ...job }: Step,
  time: number,
): CiJobRecord[] {
  const { writing } = organisation;
  const stamp = (at: number | null) => (at === null ? null : organisation.exactly(at));
  const isTaken = taker !== undefined && times.started !== null;
  const record = {
    ...untouched,
    ...job,
    ...(isTaken ? { runner_id: taker.runner.id, runner_manager_id: taker.managerId, timeout_s: 3_600 } : {}),
    pipeline_id: id,
    project_id,
    user_id,
    ...(ref_protected === true ? { is_protected: true as const } : {}),
    created_at: organisation.exactly(time),
    queued_at: stamp(times.queued),
    started_at: stamp(times.started),
    finished_at: stamp(times.finished),
  };
  const insert = (changes: Partial<CiJobRecord>) =>
    writing.insert(ciJobs, { ...record, ...changes, id: writing.nextId("ci_jobs") });
  const failed = () => {
    const failure_reason = random.pick(failures);
    return { failure_reason, ...(failure_reason === "script_failure" ? { exit_code: 1 } : {}) };
  };
  const isRepeated = job.status === "success" && job.stage !== "build" && random.chance(0.06);
  const { queued, started } = times;
  if (!isRepeated || queued === null || started === null) return [insert(job.status === "failed" ? failed() : {})];
  const half = stamp(queued + (started - queued) / 2);
  const first = { started_at: stamp(queued + (started - queued) / 8), finished_at: half };
  return [insert({ ...failed(), ...first, status: "failed", is_retried: true }), insert({ queued_at: half })];
}

/** Returns the ref of a pipeline: mostly the main branch, else another branch or a tag. */
function drawRef(random: SeededRandom, history: History, time: number, source: PipelineSource) {
  const exists = ({ commit }: { readonly commit: Commit }) => commit.committer.timestamp * 1000 <= time;
  const others = [
    ...history.branches.map((branch) => ({ ...branch, tag: false })),
    ...history.tags.map((one) => ({ ...one, tag: true })),
  ].filter(exists);
  if (others.length > 0 && source !== "schedule" && random.chance(0.3)) {
    const { name, commit, tag } = random.pick(others);
    return { ref: name, tag, commit, before: noOid };
  }
  const at = history.commits.findLastIndex((commit) => exists({ commit }));
  const commit = history.commits[at] as Commit;
  const before = source === "push" ? (history.commits[at - 1]?.oid ?? noOid) : noOid;
  return { ref: "main", tag: false, commit, before };
}

const plans = new Map<string, PlannedJobs>();

/** Returns the plan of jobs, made once per branch and tag, since the rules of these files depend on nothing else. */
function plannedFor(text: string, ref: string, tag: boolean, source: PipelineSource): PlannedJobs {
  const key = `${tag ? "tag" : ref} ${text}`;
  const known = plans.get(key);
  if (known !== undefined) return known;
  const predefined: Record<string, string> = tag ? { CI_COMMIT_TAG: ref } : { CI_COMMIT_BRANCH: ref };
  const planned = planJobs(text, { ref, tag, source }, predefined, []);
  if (planned === "filtered") throw new Error("the seed's own CI files let every pipeline in");
  plans.set(key, planned);
  return planned;
}
