/** The jobs whose artifacts and variables another job gets. */

import type { Store } from "../../../../store/index.ts";
import { listCurrentJobs } from "../service-progress.ts";
import type { CiJobRecord } from "./records.ts";

/** Those that `dependencies` names, else those that `needs` names with their artifacts, else all of the stages before. */
export function listDependencies(store: Store, job: CiJobRecord): CiJobRecord[] {
  const given = job.config.dependencies ?? job.needs ?? undefined;
  const named = given && new Set(given);
  return listCurrentJobs(store, job.pipeline_id).filter(
    ({ name, stage_idx, is_bridge }) =>
      !is_bridge && (named === undefined ? stage_idx < job.stage_idx : named.has(name)),
  );
}
