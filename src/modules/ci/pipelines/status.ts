/** The states of jobs and pipelines, and how they follow from each other. */

import type { When } from "../ci-config/records.ts";

/** triggers-and-pipelines 3: of pipelines and of jobs. */
export const statuses = [
  ...(["created", "waiting_for_resource", "preparing", "pending", "running", "success", "failed"] as const),
  ...(["canceling", "canceled", "skipped", "manual", "scheduled"] as const),
] as const;
export type JobStatus = (typeof statuses)[number];

/** Nothing follows from these by itself. */
export const finished: readonly JobStatus[] = ["success", "failed", "canceled", "skipped"];

/** A job, as far as others depend on it. */
export interface Step {
  readonly name: string;
  readonly stage_idx: number;
  readonly status: JobStatus;
  readonly when: Exclude<When, "never">;
  readonly allow_failure: boolean;
  readonly needs: readonly string[] | null;
  /** A user played it. */
  readonly is_played?: true;
}

/** `passed` stands for success, also of what was allowed to fail; `ignored` for manual jobs that need not run. */
type Weight = JobStatus | "passed" | "ignored";

function weightOf({ status, allow_failure }: Step): Weight {
  if (status === "success") return "passed";
  if (!allow_failure) return status;
  if (status === "failed" || status === "canceled") return "passed";
  return status === "manual" ? "ignored" : status;
}

/** The status of a pipeline with these jobs; undefined for none. */
export function statusOf(steps: readonly Step[]): JobStatus | undefined {
  if (steps.length === 0) return undefined;
  const found = new Set(steps.map(weightOf));
  const only = (...weights: Weight[]) => [...found].every((weight) => weights.includes(weight));
  const any = (...weights: Weight[]) => weights.some((weight) => found.has(weight));
  if (only("skipped", "ignored")) return "skipped";
  if (only("passed", "skipped", "ignored")) return "success";
  if (only("created", "ignored")) return "created";
  if (only("canceled", "passed", "skipped", "ignored")) return "canceled";
  if (only("pending", "waiting_for_resource", "created", "skipped", "passed", "ignored") && any("pending")) {
    return started(steps);
  }
  if (any("running", "pending")) return "running";
  if (any("waiting_for_resource")) return "waiting_for_resource";
  if (any("manual")) return "manual";
  if (any("scheduled")) return "scheduled";
  if (any("created")) return "running";
  return any("canceling") ? "canceling" : "failed";
}

/** Waiting for the first job, or between two. */
function started(steps: readonly Step[]): JobStatus {
  return steps.some(({ status }) => status === "success" || status === "failed") ? "running" : "pending";
}

/** The status of a job that waits for a pipeline with this status. */
export function bridgeStatusOf(status: JobStatus): "success" | "canceled" | "failed" | "running" {
  if (status === "success" || status === "canceled") return status;
  return status === "failed" || status === "skipped" ? "failed" : "running";
}

/** Jobs so that each stands behind those that it waits for: what follows from one follows from it in one round. */
export function inOrder<S extends Step>(steps: readonly S[]): S[] {
  const byName = new Map(steps.map((step) => [step.name, step]));
  const ordered = new Set<S>();
  const open = new Set<S>();
  const put = (step: S) => {
    if (open.has(step)) return;
    open.add(step);
    for (const name of step.needs ?? []) {
      const needed = byName.get(name);
      if (needed !== undefined) put(needed);
    }
    ordered.add(step);
  };
  for (const step of [...steps].sort((one, other) => one.stage_idx - other.stage_idx)) put(step);
  return [...ordered];
}

/** The jobs that a job waits for. */
export function stepsBefore({ needs, stage_idx }: Step, byName: ReadonlyMap<string, Step>): Step[] {
  if (needs === null) return [...byName.values()].filter((other) => other.stage_idx < stage_idx);
  return needs.map((name) => byName.get(name)).filter((other) => other !== undefined);
}

/** One of these steps for each weight, which tell `nextStatus` as much as all of them. */
export function oneOfEachWeight(steps: readonly Step[]): Step[] {
  return [...new Map(steps.map((step) => [weightOf(step), step])).values()];
}

/** The next status of a job that was not started, given the jobs before it; undefined: it waits for them. */
export function nextStatus(
  step: Step,
  before: readonly Step[],
): "pending" | "skipped" | "manual" | "scheduled" | undefined {
  const weights = before.map(weightOf);
  if (!weights.every((weight) => hasEnded(weight))) return undefined;
  const hasFailed = weights.includes("failed");
  const isMissing = weights.includes("skipped") || weights.includes("ignored");
  // A stage goes on without what did not run; who needs it by name does not.
  const isBroken = hasFailed || weights.includes("canceled") || (step.needs !== null && isMissing);
  switch (step.when) {
    case "always":
      return "pending";
    case "on_failure":
      return hasFailed ? "pending" : "skipped";
    case "manual":
      return isBroken ? "skipped" : waiting(step, "manual");
    case "delayed":
      return isBroken ? "skipped" : waiting(step, "scheduled");
    case "on_success":
      return isBroken ? "skipped" : "pending";
  }
}

function waiting<S extends "manual" | "scheduled">({ is_played }: Step, status: S): S | "pending" {
  return is_played === true ? "pending" : status;
}

function hasEnded(weight: Weight): boolean {
  return weight === "passed" || weight === "ignored" || finished.some((status) => status === weight);
}
