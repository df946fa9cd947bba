import type { SignedInCaller } from "../../../../domain/caller.ts";
import { Failure } from "../../../../domain/failure.ts";
import type { Store, Transaction } from "../../../../store/index.ts";
import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { updateRecord } from "../../../kernel/record-events.ts";
import { ReadableIssues } from "../../readable-issues/index.ts";
import { issueEvents } from "../events.ts";
import { requireUpdateRight } from "../policy.ts";
import { type IssueRecord, issuePositionStep, issues, positionOf } from "../records.ts";

/** The neighbours between which an issue is put. */
interface Neighbours {
  readonly move_after_id?: number | undefined;
  readonly move_before_id?: number | undefined;
}

/** Issues that get new positions when there is no room between two neighbours. */
const respacedMax = 64;

/**
 * `PUT …/:issue_iid/reorder` (issues-labels-milestones-epics 1.2). Throws 403, and 422 without a neighbour, and for one
 * that the caller cannot read. The order is no attribute of the issue, so its time of update stays.
 */
export function reorderIssue(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  issue: IssueRecord,
  { move_after_id, move_before_id }: Neighbours,
): IssueRecord {
  const { store } = context;
  requireUpdateRight(context, caller, project, issue);
  const [after, before] = [move_after_id, move_before_id].map((id) => getNeighbour(context, caller, id));
  if (after === undefined && before === undefined) throw unprocessable();
  return store.transact((tx) => {
    const low = after ? positionOf(after) : positionBeside(store, issue, before as IssueRecord, "before");
    const high = before ? positionOf(before) : positionBeside(store, issue, after as IssueRecord, "after");
    if (low >= high) throw unprocessable();
    const top = high - low > 1 ? high : makeRoom(tx, store, low);
    return updateRecord(tx, context, caller, issueEvents, { ...issue, relative_position: Math.floor((low + top) / 2) });
  });
}

function getNeighbour(context: Context, caller: SignedInCaller, id: number | undefined): IssueRecord | undefined {
  if (id === undefined) return undefined;
  const issue = context.store.of(issues).get(id);
  if (issue === undefined || !context.get(ReadableIssues).has(caller.user, issue)) throw unprocessable();
  return issue;
}

/** The position of the issue next to a neighbour, on the other side of the place for `moved`. */
function positionBeside(store: Store, moved: IssueRecord, neighbour: IssueRecord, side: "before" | "after"): number {
  const at = positionOf(neighbour);
  const [next] = issuesBeside(store, at, side, 2).filter(({ id }) => id !== moved.id);
  if (next !== undefined) return positionOf(next);
  return side === "after" ? at + 2 * issuePositionStep : 0;
}

/** Gives the next issues behind a position new ones, and returns the first of them. */
function makeRoom(tx: Transaction, store: Store, low: number): number {
  const following = issuesBeside(store, low, "after", respacedMax);
  const last = following.pop();
  const end = last === undefined ? low + respacedMax * issuePositionStep : positionOf(last);
  const step = Math.floor((end - low) / (following.length + 1));
  if (step < 2) throw unprocessable();
  for (const [at, issue] of following.entries()) {
    tx.update(issues, { ...issue, relative_position: low + (at + 1) * step });
  }
  return low + step;
}

/** The nearest issues on one side of a position. */
function issuesBeside(store: Store, position: number, side: "before" | "after", limit: number): IssueRecord[] {
  const [from, to] = side === "after" ? [position + 1, undefined] : [undefined, position - 1];
  return store.page(issues, {
    where: [{ index: "relative_position", from, to }],
    order: "relative_position",
    descending: side === "before",
    page: { kind: "offset", page: 1, perPage: limit },
  }).items as IssueRecord[];
}

function unprocessable(): Failure {
  return new Failure("unprocessable", { message: { error: "Unprocessable Entity" } });
}
