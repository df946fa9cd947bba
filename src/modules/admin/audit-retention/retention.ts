/** The periodic work that drops audit events older than the retention period. */

import { dayMs } from "../../../lib/datetime.ts";
import type { Store } from "../../../store/index.ts";
import { settingsOf } from "../../core/application-settings/index.ts";
import { auditEvents } from "../../core/audit-events/records.ts";
import { type CronJob, daily } from "../../core/background-jobs/index.ts";

/**
 * Lets go of audit events that are older than `audit_events_retention_days`. They go by their ids: after one whose clock
 * was ahead, everything stays until that one is old enough, so that nothing younger is ever removed.
 */
export const auditRetention: CronJob = {
  name: "audit events that are too old",
  schedule: daily,
  atStart: true,
  run({ context }) {
    const { store, clock, log } = context;
    const days = settingsOf(context).audit_events_retention_days ?? 0;
    if (days === 0) return;
    const events = store.logOf(auditEvents);
    const before = events.size;
    store.dropBelow(auditEvents, firstSince(store, clock.now() - days * dayMs));
    if (events.size < before) log.info({ removed: before - events.size, days }, "audit events were too old");
  },
};

/** The id of the oldest event at or after a time; one above all events when there is none. */
function firstSince(store: Store, from: number): number {
  const log = store.logOf(auditEvents);
  const page = { kind: "keyset", after: undefined, perPage: 1 } as const;
  const [first] = log.page({ keys: [], from, descending: false, page }).items;
  if (first !== undefined) return first.id;
  const [last] = log.page({ keys: [], descending: true, page }).items;
  return last === undefined ? 0 : last.id + 1;
}
