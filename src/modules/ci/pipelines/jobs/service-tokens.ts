import { digestOf } from "../../../../lib/token-digest.ts";
import type { Store } from "../../../../store/index.ts";
import { Access } from "../../../core/access/index.ts";
import { projects } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { type CiJobRecord, ciJobs, isProcessed } from "../records-jobs.ts";

/** The job that a token was made for, running or not. */
export function findJobByToken(store: Store, token: string): CiJobRecord | undefined {
  const documents = store.of(ciJobs);
  return documents.get(documents.by.token_digest.find(digestOf(token)) ?? 0);
}

/** The job whose token is good now: a runner works on it, and its project exists (job-token-scope 5). */
export function findRunningJob(context: Context, token: string): CiJobRecord | undefined {
  const { store } = context;
  const job = findJobByToken(store, token);
  if (job === undefined || !isProcessed(job)) return undefined;
  const project = store.of(projects).get(job.project_id);
  return project === undefined || context.get(Access).isBeingDeleted({ project }) ? undefined : job;
}
