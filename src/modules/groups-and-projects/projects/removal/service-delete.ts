import type { SignedInCaller } from "../../../../domain/caller.ts";
import { requireUnmodified } from "../../../../domain/failure.ts";
import { type DateTime, toDateTime } from "../../../../lib/datetime.ts";
import type { Transaction } from "../../../../store/index.ts";
import type { AuditEntry } from "../../../core/audit-events/index.ts";
import { enqueueJob, type JobKind, jobKind } from "../../../core/background-jobs/index.ts";
import {
  fullPathOf,
  hideProject,
  projectEvents,
  projectRemovalStep,
  removeProject,
} from "../../../core/namespaces/index.ts";
import type { Context } from "../../../kernel/context.ts";
import { publish } from "../../../kernel/event.ts";
import { RemovalBudget } from "../../../kernel/removal.ts";
import { placeOf } from "../../../repositories/repositories/index.ts";
import { groups } from "../../groups/records.ts";
import { recordProjectEvent } from "../audit.ts";
import { type ProjectRecord, projects } from "../records.ts";

/** Documents that one step of the job takes. */
const stepMax = 50;

/**
 * `DELETE /projects/:id` (groups-and-projects 3.1): it is hidden from all users, its path is free, and a job removes what
 * belongs to it. Throws 412, and 400 while its repository is moved.
 */
export function deleteProject(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  unmodifiedSince: DateTime | undefined,
): void {
  requireUnmodified(project, unmodifiedSince);
  context.repositories.refuseReadOnly(placeOf(project));
  context.store.transact((tx) => acceptProjectDeletion(tx, context, caller, project));
}

/** The deletion as part of another act, such as that of the user whose namespace holds the project. */
export function acceptProjectDeletion(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
): void {
  const act = { custom_message: "Project destroyed" };
  recordProjectEvent(tx, context, caller, project, "project_destroyed", act, groupOf(context, project));
  const updated_at = toDateTime(context.clock.now());
  publish(tx, context, projectEvents.deleted, { caller, before: project, after: undefined });
  hideProject(tx, context.store, { ...project, updated_at });
  enqueueJob(tx, context, { kind: projectDeletion.kind, payload: { project_id: project.id } });
}

export const projectDeletion: JobKind = jobKind<{ readonly project_id: number }>({
  kind: "project_deletion",
  async run({ context, payload, pace, complete }) {
    let hasEnded = false;
    while (!hasEnded) {
      await pace();
      hasEnded = context.store.transact((tx) => {
        const project = context.store.of(projects).get(payload.project_id);
        if (project !== undefined) removeProjectPart(tx, context, project, stepMax);
        const isGone = context.store.of(projects).get(payload.project_id) === undefined;
        if (isGone) complete(tx);
        return isGone;
      });
    }
  },
});

/** Removes at most `limit` things of a project, and the project itself if those were all; returns how many. */
export function removeProjectPart(tx: Transaction, context: Context, project: ProjectRecord, limit: number): number {
  const budget = new RemovalBudget(tx, limit);
  publish(tx, context, projectRemovalStep, { project, budget });
  if (budget.left <= 0) return limit;
  removeProject(tx, context.store, project.id);
  return limit - budget.left + 1;
}

/** The event outlives the project where its group shows it (audit-events 4). */
function groupOf({ store }: Context, { namespace_id }: ProjectRecord): AuditEntry["entity"] | undefined {
  if (store.of(groups).get(namespace_id) === undefined) return undefined;
  return { type: "Group", id: namespace_id, path: fullPathOf(store, namespace_id) };
}
