import type { Caller } from "../../../domain/caller.ts";
import { invalid, notFound, requireUnmodified } from "../../../domain/failure.ts";
import { type SourceRef, sourceKey, sourceOf } from "../../../domain/source.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import { exceedsLength } from "../../../lib/text/text.ts";
import type { Store, Transaction } from "../../../store/index.ts";
import { sourcesAbove } from "../../core/access/index.ts";
import { groupRemoval, projectRemoval } from "../../core/namespaces/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { insertRecord, removeRecord, updateRecord } from "../../kernel/record-events.ts";
import { removeFirst } from "../../kernel/removal.ts";
import { unlinkEverywhere } from "../pending-unlinks/index.ts";
import { milestoneEvents } from "./events.ts";
import { iidInSourceKey, type MilestoneRecord, milestones } from "./records.ts";
import type { ChangeMilestone, CreateMilestone } from "./schema.ts";
import { titleErrors } from "./service-titles.ts";

type Draft = Pick<MilestoneRecord, "title" | "description" | "start_date" | "due_date">;

const descriptionLengthMax = 1_048_576;

/** The milestone of this project or group with that id; where there is none, the one with that iid. Throws 404. */
export function getMilestone(store: Store, source: SourceRef, idOrIid: number): MilestoneRecord {
  const documents = store.of(milestones);
  const byId = documents.get(idOrIid);
  if (byId?.source_type === source.type && byId.source_id === source.id) return byId;
  const id = documents.by.iid.find(iidInSourceKey(source, idOrIid));
  const byIid = id === undefined ? undefined : documents.get(id);
  if (byIid === undefined) throw notFound("Milestone");
  return byIid;
}

/** Whether issues of the project may have the milestone: it is the project's, or that of a group above. */
export function isMilestoneOf(store: Store, project: ProjectRecord, milestoneId: number): boolean {
  const milestone = store.of(milestones).get(milestoneId);
  if (milestone === undefined) return false;
  return sourcesAbove(store, project).some(
    ({ type, id }) => milestone.source_type === type && milestone.source_id === id,
  );
}

/** Throws 400. */
export function createMilestone(
  context: Context,
  caller: Caller,
  source: SourceRef,
  params: CreateMilestone,
): MilestoneRecord {
  const { store } = context;
  const { description = null, start_date = null, due_date = null } = params;
  const draft = { title: params.title.trim(), description, start_date, due_date };
  requireValidMilestone(store, source, draft, "create");
  return store.transact((tx) => insertMilestone(tx, context, caller, source, { ...draft, state: "active" }));
}

/** The title must be free there. */
export function insertMilestone(
  tx: Transaction,
  context: Context,
  caller: Caller,
  source: SourceRef,
  { title, description, start_date, due_date, state }: Draft & Pick<MilestoneRecord, "state">,
): MilestoneRecord {
  const now = toDateTime(context.clock.now());
  return insertRecord(tx, context, caller, milestoneEvents, {
    id: tx.nextId("milestones"),
    iid: nextIid(tx, source),
    source_type: source.type,
    source_id: source.id,
    ...{ title, description, start_date, due_date, state },
    created_at: now,
    updated_at: now,
  });
}

/** Throws 400. */
export function updateMilestone(
  context: Context,
  caller: Caller,
  milestone: MilestoneRecord,
  { title = milestone.title, state_event, ...given }: ChangeMilestone,
): MilestoneRecord {
  const { store, clock } = context;
  const { description = milestone.description } = given;
  const { start_date = milestone.start_date, due_date = milestone.due_date } = given;
  const state = state_event === undefined ? milestone.state : state_event === "close" ? "closed" : "active";
  const after = { ...milestone, title: title.trim(), description, start_date, due_date, state } as const;
  if (Bun.deepEquals(after, milestone)) return milestone;
  requireValidMilestone(store, sourceOf(milestone), after, "update", milestone);
  const changed = { ...after, updated_at: toDateTime(clock.now()) };
  return store.transact((tx) => updateRecord(tx, context, caller, milestoneEvents, changed));
}

/** Throws 412. Issues lose it. */
export function deleteMilestone(
  context: Context,
  caller: Caller,
  milestone: MilestoneRecord,
  unmodifiedSince: string | undefined,
): void {
  requireUnmodified(milestone, unmodifiedSince);
  context.store.transact((tx) => {
    unlinkEverywhere(tx, context, "milestone", milestone.id, null);
    removeRecord(tx, context, caller, milestoneEvents, milestone.id);
  });
}

/** Returns the next number of a milestone; each project or group counts from 1, and no number is used again. */
export function nextIid(tx: Transaction, source: SourceRef): number {
  return tx.nextId(`milestones of ${sourceKey(source)}`);
}

/**
 * Removes at most `limit` milestones of a group or project that is being deleted and whose issues are deleted already.
 * Returns how many; fewer than `limit` are the last ones.
 */
function removeMilestonesOf(tx: Transaction, store: Store, source: SourceRef, limit: number): number {
  return removeFirst(tx, milestones, store.of(milestones).by.source.find(sourceKey(source)), limit);
}

export const projectMilestoneRemoval = projectRemoval({
  remove: (tx, { store }, { id }, limit) => removeMilestonesOf(tx, store, { type: "project", id }, limit),
});

export const groupMilestoneRemoval = groupRemoval({
  remove: (tx, { store }, { id }, limit) => removeMilestonesOf(tx, store, { type: "group", id }, limit),
});

function requireValidMilestone(
  store: Store,
  source: SourceRef,
  draft: Draft,
  act: "create" | "update",
  itself?: MilestoneRecord,
): void {
  const { title, description, start_date, due_date } = draft;
  const titleProblems = title === itself?.title ? [] : titleErrors(store, source, title, itself);
  const isBackwards = start_date !== null && due_date !== null && due_date < start_date;
  const isTooLong = description !== itself?.description && exceedsLength(description, descriptionLengthMax);
  const problems = {
    title: titleProblems,
    description: isTooLong ? [`is too long (maximum is ${descriptionLengthMax} characters)`] : [],
    due_date: isBackwards ? ["must be greater than start date"] : [],
  };
  const shown = Object.entries(problems).filter(([, texts]) => texts.length > 0);
  if (shown.length === 0) return;
  // Clients of milestones know the problems as one text in Ruby's notation.
  const text = shown.map(([name, texts]) => `:${name}=>${JSON.stringify(texts)}`).join(", ");
  throw invalid(`Failed to ${act} milestone {${text}}`);
}
