/** The audit events about releases (releases 6). */

import type { SignedInCaller } from "../../../domain/caller.ts";
import type { Transaction } from "../../../store/index.ts";
import { recordAuditEvent } from "../../core/audit-events/index.ts";
import { projectPathOf } from "../../core/namespaces/index.ts";
import { projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { milestones } from "../../planning/milestones/records.ts";
import type { ReleaseRecord } from "./records.ts";

export function recordReleaseCreated(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  release: ReleaseRecord,
): void {
  const { length } = release.milestone_ids;
  const named = length === 0 ? "" : ` with ${length === 1 ? "Milestone" : "Milestones"} ${titlesOf(context, release)}`;
  recordAct(tx, context, caller, release, "release_created", `Created Release ${release.tag}${named}`);
}

/** One event about the release, and one about its milestones where these changed. */
export function recordReleaseUpdated(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  before: ReleaseRecord,
  after: ReleaseRecord,
): void {
  recordAct(tx, context, caller, after, "release_updated", `Updated Release ${after.tag}`);
  if (Bun.deepEquals(before.milestone_ids, after.milestone_ids)) return;
  const titles = titlesOf(context, after) || "[none]";
  const message = `Milestones associated with release changed to ${titles}`;
  recordAct(tx, context, caller, after, "release_milestones_updated", message);
}

export function recordReleaseDeleted(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  release: ReleaseRecord,
): void {
  recordAct(tx, context, caller, release, "release_deleted_audit_event", `Deleted Release ${release.tag}`);
}

function titlesOf({ store }: Context, { milestone_ids }: ReleaseRecord): string {
  return milestone_ids.flatMap((id) => store.of(milestones).get(id)?.title ?? []).join(", ");
}

function recordAct(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  { id, project_id, tag, name }: ReleaseRecord,
  event: string,
  custom_message: string,
): void {
  const { store } = context;
  const project = store.of(projects).get(project_id);
  recordAuditEvent(tx, context, caller, {
    event,
    entity: { type: "Project", id: project_id, path: project === undefined ? "" : projectPathOf(store, project) },
    target: { type: "Release", id, details: name ?? tag },
    act: { custom_message },
  });
}
