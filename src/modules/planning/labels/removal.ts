/** The removal of labels with their project or group. */

import { type SourceRef, sourceKey } from "../../../domain/source.ts";
import type { Store, Transaction } from "../../../store/index.ts";
import { groupRemoval, projectRemoval } from "../../core/namespaces/index.ts";
import { removeSubscriptionsTo } from "../subscriptions/index.ts";
import { labels } from "./records.ts";
import { removePrioritiesOf } from "./service-priorities.ts";

/**
 * Removes at most `limit` labels, with their subscriptions and priorities, of a group or project that is being deleted
 * and whose issues and epics are deleted already. Returns how many; fewer than `limit` are the last ones.
 */
function removeLabelsOf(tx: Transaction, store: Store, source: SourceRef, limit: number): number {
  let taken = 0;
  const takes = (take: (atMost: number) => number) => {
    taken += take(limit - taken);
    return taken < limit;
  };
  for (const id of [...store.of(labels).by.source.find(sourceKey(source))]) {
    const isBare =
      takes((atMost) => removeSubscriptionsTo(tx, store, { type: "Label", id }, atMost)) &&
      takes((atMost) => removePrioritiesOf(tx, store, "label_id", id, atMost));
    if (!isBare) return taken;
    tx.remove(labels, id);
    taken += 1;
  }
  if (source.type === "project" && taken < limit) {
    taken += removePrioritiesOf(tx, store, "project_id", source.id, limit - taken);
  }
  return taken;
}

export const projectLabelRemoval = projectRemoval({
  remove: (tx, { store }, { id }, limit) => removeLabelsOf(tx, store, { type: "project", id }, limit),
});

export const groupLabelRemoval = groupRemoval({
  remove: (tx, { store }, { id }, limit) => removeLabelsOf(tx, store, { type: "group", id }, limit),
});
