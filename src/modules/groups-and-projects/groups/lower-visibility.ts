/** The job that lowers the visibility of all below a group. */

import { isWiderThan } from "../../../domain/visibility.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import type { Transaction } from "../../../store/index.ts";
import { enqueueJob, type JobKind, jobKind } from "../../core/background-jobs/index.ts";
import { selfAndDescendants } from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
import { projects } from "../projects/records.ts";
import { groups } from "./records.ts";

/**
 * Groups and projects that are narrowed in the transaction of the transfer itself; a job narrows the others. As many as a
 * transaction bears in some tens of milliseconds, since the others can be seen until the job is there.
 */
const atOnceMax = 2_000;
/** Groups or projects that one step of the job looks at. */
const stepMax = 20;

/**
 * Gives everything below a group at most its visibility: groups first, from the top. A job does the part that is too
 * large for a transaction; until then, that part stays visible to its previous readers.
 */
export function lowerVisibilityBelow(tx: Transaction, context: Context, groupId: number): void {
  const { store } = context;
  const below = selfAndDescendants(store, groupId);
  let left = atOnceMax;
  for (const id of below) {
    if (left > 0 && narrowGroup(tx, context, id)) left -= 1;
  }
  for (const id of below) {
    if (left === 0) break;
    for (const projectId of [...store.of(projects).by.namespace_id.find(id)]) {
      if (left > 0 && narrowProject(tx, context, projectId)) left -= 1;
    }
  }
  if (left === 0) enqueueJob(tx, context, { kind: visibilityLowering.kind, payload: { group_id: groupId } });
}

export const visibilityLowering: JobKind = jobKind<{ readonly group_id: number }>({
  kind: "visibility_lowering",
  async run({ context, payload, pace }) {
    const { store } = context;
    const below = selfAndDescendants(store, payload.group_id);
    for (const ids of slices(below)) {
      store.transact((tx) => ids.forEach((id) => void narrowGroup(tx, context, id)));
      await pace();
    }
    for (const groupId of below) {
      for (const ids of slices([...store.of(projects).by.namespace_id.find(groupId)])) {
        store.transact((tx) => ids.forEach((id) => void narrowProject(tx, context, id)));
        await pace();
      }
    }
  },
});

/** Whether it was wider than its parent. */
function narrowGroup(tx: Transaction, { store, clock }: Context, id: number): boolean {
  const group = store.of(groups).get(id);
  const parent = group?.parent_id == null ? undefined : store.of(groups).get(group.parent_id);
  if (group === undefined || parent === undefined || !isWiderThan(group.visibility, parent.visibility)) return false;
  tx.update(groups, { ...group, visibility: parent.visibility, updated_at: toDateTime(clock.now()) });
  return true;
}

/** Whether it was wider than its group. */
function narrowProject(tx: Transaction, { store, clock }: Context, id: number): boolean {
  const project = store.of(projects).get(id);
  const group = project && store.of(groups).get(project.namespace_id);
  if (project === undefined || group === undefined || !isWiderThan(project.visibility, group.visibility)) return false;
  tx.update(projects, { ...project, visibility: group.visibility, updated_at: toDateTime(clock.now()) });
  return true;
}

function* slices(ids: readonly number[]): Generator<readonly number[]> {
  for (let start = 0; start < ids.length; start += stepMax) yield ids.slice(start, start + stepMax);
}
