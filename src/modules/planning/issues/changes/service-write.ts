import type { SignedInCaller } from "../../../../domain/caller.ts";
import { toDateTime } from "../../../../lib/datetime.ts";
import type { Transaction } from "../../../../store/index.ts";
import type { Context } from "../../../kernel/context.ts";
import { publish } from "../../../kernel/event.ts";
import { countTasks } from "../../issuables/index.ts";
import type { SpentTime } from "../../time-tracking/index.ts";
import { issueEvents } from "../events.ts";
import { type IssueRecord, issues } from "../records.ts";
import { insertEpicLink, removeEpicLink } from "./service-epic-links.ts";

interface SaveOptions {
  /** The time of the change, where the caller may say it. */
  readonly updated_at?: string | undefined;
  readonly spent?: SpentTime | undefined;
}

/**
 * Writes the changed attributes of an issue in the transaction of the change: counts its tasks, moves its place in an
 * epic, and publishes what happened. Nothing is written where nothing differs.
 */
export function writeIssue(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  before: IssueRecord,
  changed: IssueRecord,
  { updated_at, spent }: SaveOptions = {},
): IssueRecord {
  if (isSame(before, changed) && updated_at === undefined) return before;
  const { store, clock } = context;
  const { description } = changed;
  const counted = description === before.description ? {} : { task_completion: countTasks(description) };
  const after = tx.update(issues, { ...changed, ...counted, updated_at: updated_at ?? toDateTime(clock.now()) });
  if (before.epic_id !== after.epic_id) {
    const freed = removeEpicLink(tx, store, { ...after, epic_id: before.epic_id });
    if (after.epic_id !== null) insertEpicLink(tx, store, freed, after.epic_id);
  }
  const stored = store.of(issues).get(after.id) ?? after;
  publish(tx, context, issueEvents.updated, { caller, before, after: stored, spent });
  return stored;
}

/** Closes an open issue along with something else, in its transaction. */
export function closeIssue(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  issue: IssueRecord,
  changed: Partial<IssueRecord> = {},
): IssueRecord {
  const closing = stateAfter(context, caller, issue, "close");
  return writeIssue(tx, context, caller, issue, { ...issue, ...changed, ...closing });
}

/** The attributes that closing or reopening changes; none when the issue is in that state. */
export function stateAfter(
  { clock }: Pick<Context, "clock">,
  { user }: SignedInCaller,
  { state }: IssueRecord,
  event: "close" | "reopen" | undefined,
): Partial<IssueRecord> {
  if (event === "close" && state === "opened") {
    return { state: "closed", closed_at: toDateTime(clock.now()), closed_by_id: user.id };
  }
  if (event === "reopen" && state === "closed") {
    return { state: "opened", closed_at: null, closed_by_id: null, moved_to_id: null, duplicated_to_id: null };
  }
  return {};
}

function isSame(one: IssueRecord, other: IssueRecord): boolean {
  const text = (issue: IssueRecord, field: keyof IssueRecord) => JSON.stringify(issue[field]);
  const fields = new Set([...Object.keys(one), ...Object.keys(other)]) as Set<keyof IssueRecord>;
  return [...fields].every((field) => text(one, field) === text(other, field));
}

/** Numbers of a project's issues are never given twice. */
export function iidSequence(projectId: number): string {
  return `issues of project ${projectId}`;
}
