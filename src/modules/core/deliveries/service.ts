import { toDateTime } from "../../../lib/datetime.ts";
import type { Store, Transaction } from "../../../store/index.ts";
import type { Context } from "../../kernel/context.ts";
import { serviceKey } from "../../kernel/service.ts";
import { type DeliveryRecord, deliveries, turnRange } from "./records.ts";
import { DeliveryWorker } from "./worker.ts";

/** Sends the deliveries of a server; a command without one sends none. */
export const Deliveries = serviceKey("deliveries", (parts) => new DeliveryWorker(parts));

/** A delivery of a kind; those that are left out go in the same lane, at once. */
export type NewDelivery = Pick<DeliveryRecord, "kind" | "target" | "reference"> &
  Partial<Pick<DeliveryRecord, "lane" | "queue" | "cause" | "payload">>;

/** Writes a delivery in the transaction of its cause: neither exists without the other. It is sent after that. */
export function enqueueDelivery(
  tx: Transaction,
  context: Context,
  { lane = "", queue = "", cause = "", ...delivery }: NewDelivery,
): DeliveryRecord {
  const now = toDateTime(context.clock.now());
  const written = tx.insert(deliveries, {
    id: tx.nextId("deliveries"),
    ...{ lane, queue, cause },
    ...delivery,
    attempts: 0,
    last_status: null,
    created_at: now,
    due_at: now,
  });
  context.get(Deliveries).wake();
  return written;
}

/** Makes a delivery that waits due now, in another queue. */
export function hastenDelivery(tx: Transaction, context: Context, delivery: DeliveryRecord, queue: string): void {
  tx.update(deliveries, { ...delivery, queue, due_at: toDateTime(context.clock.now()) });
  context.get(Deliveries).wake();
}

/** The delivery that waits of a record of a kind. */
export function findDelivery(store: Store, kind: string, reference: number): DeliveryRecord | undefined {
  const id = store.of(deliveries).by.reference.find(`${kind} ${reference}`);
  return id === undefined ? undefined : store.of(deliveries).get(id);
}

/** The lowest reference of the deliveries of a kind that wait. */
export function findFirstReference(store: Store, kind: string): number | undefined {
  const documents = store.of(deliveries);
  const [id] = documents.by.reference_order.between(...turnRange(kind));
  return id === undefined ? undefined : documents.get(id)?.reference;
}

/** Counts the deliveries that wait of a kind, a lane, a queue and a cause, as far as they are given. */
export function countWaiting(store: Store, ...parts: Parameters<typeof turnRange>): number {
  return store.of(deliveries).by.turn.countBetween(...turnRange(...parts));
}
