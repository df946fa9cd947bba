import { accessLevels } from "../../../domain/access-level.ts";
import type { SignedInCaller } from "../../../domain/caller.ts";
import { forbidden, refuseModified } from "../../../domain/failure.ts";
import { type DateTime, toDateTime } from "../../../lib/datetime.ts";
import type { Store, Transaction } from "../../../store/index.ts";
import { enqueueJob, type JobKind, jobKind } from "../../core/background-jobs/index.ts";
import type { Context } from "../../kernel/context.ts";
import type { GroupRemoval } from "../../kernel/group-hooks.ts";
import { type EpicRecord, epicIssues, epics, issues, removeDependents, takeOutOfEpic } from "../records/index.ts";

/** What goes in the transaction of the deletion itself; a job takes the rest. */
const atOnceMax = 200;
/** What one step of the job takes. */
const stepMax = 50;

/** `DELETE /groups/:id/epics/:epic_iid`: for owners and planners. Its issues lose it. Throws 403, 412. */
export function deleteEpic(
  context: Context,
  caller: SignedInCaller,
  epic: EpicRecord,
  unmodifiedSince: DateTime | undefined,
): void {
  const level = context.access.levelInGroup(caller.user, epic.group_id);
  if (level !== accessLevels.planner && level < accessLevels.owner) throw forbidden();
  refuseModified(epic, unmodifiedSince);
  context.store.transact((tx) => removeEpic(tx, context, epic));
}

/** The deletion as part of another act. Nobody sees the epic any more, however much is in it. */
export function removeEpic(tx: Transaction, context: Pick<Context, "store" | "clock">, { id }: EpicRecord): void {
  tx.remove(epics, id);
  if (takeOut(tx, context, id, atOnceMax) < atOnceMax) return;
  enqueueJob(tx, context, { kind: epicRemoval.kind, payload: { epic_id: id } });
}

/** Takes what was in or on an epic that is gone already. */
export const epicRemoval: JobKind = jobKind<{ readonly epic_id: number }>({
  kind: "epic_removal",
  async run({ context, payload, pace, complete }) {
    let isOver = false;
    while (!isOver) {
      await pace();
      isOver = context.store.transact((tx) => {
        const isLast = takeOut(tx, context, payload.epic_id, stepMax) < stepMax;
        if (isLast) complete(tx);
        return isLast;
      });
    }
  },
});

/** Epics of a group that goes, each with what is in it. */
export const epicGroupRemoval: GroupRemoval = {
  remove(tx, context, { id }, limit) {
    let taken = 0;
    for (const epicId of [...context.store.of(epics).by.group_id.find(id)].slice(0, limit)) {
      taken += takeOut(tx, context, epicId, limit - taken);
      if (taken >= limit) break;
      tx.remove(epics, epicId);
      taken += 1;
    }
    return taken;
  },
};

/** At most `limit` issues, child epics, reactions and subscriptions; tells how many. */
function takeOut(
  tx: Transaction,
  { store, clock }: Pick<Context, "store" | "clock">,
  id: number,
  limit: number,
): number {
  const now = toDateTime(clock.now());
  let taken = 0;
  for (const issueId of issuesIn(store, id, limit)) {
    const issue = store.of(issues).get(issueId);
    if (issue === undefined) continue;
    takeOutOfEpic(store, tx, issue);
    taken += 1;
  }
  for (const childId of [...store.of(epics).by.parent_id.find(id)].slice(0, limit - taken)) {
    const child = store.of(epics).get(childId);
    if (child === undefined) continue;
    tx.update(epics, { ...child, parent_id: null, updated_at: now });
    taken += 1;
  }
  return taken + removeDependents(tx, store, { type: "Epic", id }, limit - taken);
}

function issuesIn(store: Store, epicId: number, limit: number): number[] {
  const found: number[] = [];
  for (const id of store.of(epicIssues).by.epic_id.find(epicId)) {
    if (found.length >= limit) break;
    found.push(store.of(epicIssues).get(id)?.issue_id as number);
  }
  return found;
}
