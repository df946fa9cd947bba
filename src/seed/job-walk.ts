import { type JobStatus, nextStatus, type PlannedJobs, stepsBefore } from "../modules/ci/pipelines/index.ts";
import type { SeededRandom } from "./seeded-random.ts";

type PlannedJob = PlannedJobs["jobs"][number];

/** A planned job with its status and times. */
export interface Step extends PlannedJob {
  status: JobStatus;
  times: { queued: number | null; started: number | null; finished: number | null };
}

/** Simulates the jobs of a pipeline by the rules for runners. */
export function walk(random: SeededRandom, jobs: readonly PlannedJob[], time: number, isLate: boolean): Step[] {
  const fate = isLate ? "late" : random.weighted({ good: 14, bad: 4, canceled: 1 });
  const steps: Step[] = jobs.map((job) => ({
    ...job,
    status: "created",
    times: { queued: null, started: null, finished: null },
  }));
  const unlucky = random.integer(0, steps.length - 1);
  let now = time + random.integer(1, 9) * 1000;
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false;
    let last = now;
    // The states before the round: a job that ends in this round starts no other yet.
    const byName = new Map(steps.map((step) => [step.name, { ...step }]));
    for (const [at, step] of steps.entries()) {
      const next = step.status === "created" ? nextStatus(step, stepsBefore(step, byName)) : undefined;
      if (next === undefined) continue;
      hasChanged = true;
      step.status = next;
      if (next === "manual" && !isLate && random.chance(0.4)) step.status = "pending";
      if (step.status !== "pending") continue;
      step.times.queued = now;
      step.status = outcome(random, fate, at === unlucky);
      if (step.status === "pending") continue;
      const isCanceled = step.status === "canceled";
      step.times.started = isCanceled ? null : now + random.integer(2, 40) * 1000;
      const began = step.times.started ?? now;
      if (step.status !== "running")
        step.times.finished = began + random.integer(8, 420) * 1000 + random.integer(0, 999);
      last = Math.max(last, step.times.finished ?? began);
    }
    now = last;
  }
  return steps;
}

function outcome(random: SeededRandom, fate: "late" | "good" | "bad" | "canceled", isUnlucky: boolean): JobStatus {
  if (!isUnlucky) return fate === "late" && random.chance(0.2) ? "pending" : "success";
  if (fate === "late") return random.chance(0.6) ? "running" : "pending";
  if (fate === "bad") return "failed";
  return fate === "canceled" ? "canceled" : "success";
}
