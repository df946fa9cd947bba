/** The removal of the oldest deliveries that ended. */

import { dayMs } from "../../../lib/datetime.ts";
import type { Store } from "../../../store/index.ts";
import { type CronJob, daily } from "../../kernel/job.ts";
import { deliveries, endedDeliveries } from "./records.ts";

/** The limits of a server. */
export const endedDeliveryLimits = { count: 100_000, days: 30 };

/** Keeps the newest. Nothing is removed from the oldest one on that still waits, since it will end in its place. */
export function deleteEndedDeliveries(store: Store, now: number, limits = endedDeliveryLimits): void {
  const ended = store.logOf(endedDeliveries);
  const one = { kind: "keyset", after: undefined, perPage: 1 } as const;
  const [young] = ended.page({ keys: [], from: now - limits.days * dayMs, descending: false, page: one }).items;
  const [last] = ended.page({ keys: [], descending: true, page: one }).items;
  const [waiting] = store.of(deliveries).by.id.slice(0, 1, false);
  if (last === undefined) return;
  const below = Math.max(young?.id ?? last.id + 1, last.id + 1 - limits.count);
  store.dropBelow(endedDeliveries, Math.min(below, waiting ?? below));
}

export const deliveryRetention: CronJob = {
  name: "old deliveries",
  schedule: daily,
  atStart: true,
  run: ({ context }) => deleteEndedDeliveries(context.store, context.clock.now()),
};
