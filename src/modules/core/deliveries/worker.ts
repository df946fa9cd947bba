/** The worker that sends deliveries. */

import type { Clock } from "../../../domain/clock.ts";
import { withoutBudget } from "../../../domain/work-budget.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import type { Log } from "../../../lib/log.ts";
import type { Store } from "../../../store/index.ts";
import type { DeliveryKind, DeliveryOutcome } from "./kind.ts";
import { type DeliveryEnd, type DeliveryRecord, deliveries, endedDeliveries } from "./records.ts";
import { deleteEndedDeliveries } from "./retention.ts";
import { DeliveryTurns } from "./turns.ts";

/** Deliveries under way at a time: of all kinds, and to one host. */
export const underWayMax = 32;
export const underWayToHostMax = 4;
/** The pause of a lane through which nothing gets. */
const pauseMs = 30_000;
/** A stop waits this long for what is on its way; what is cut off is sent again after the next start. */
const stopGraceMs = 2_500;

/** Deliveries between two looks at the limits of those that ended. */
const removalEvery = 1_000;

interface WorkerParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
}

interface UnderWay {
  readonly lane: string;
  readonly host: string;
  readonly end: Promise<void>;
}

/**
 * Sends what `enqueueDelivery` wrote, once it is on disk (`DeliveryTurns`). A delivery is sent at least once: a receiver that
 * takes one as the process dies gets it again. What fails is tried again as its kind says.
 */
export class DeliveryWorker {
  readonly #parts: WorkerParts;
  readonly #turns: DeliveryTurns;
  readonly #kinds = new Map<string, DeliveryKind>();
  readonly #underWay = new Map<number, UnderWay>();
  /** By lane: when its pause ends. */
  readonly #pauses = new Map<string, number>();
  readonly #cutOff = new AbortController();
  #isStopped = false;
  #isWoken = false;
  #cancelAlarm: (() => void) | undefined;

  constructor(parts: WorkerParts) {
    this.#parts = parts;
    this.#turns = new DeliveryTurns(parts.store);
  }

  /** Sends the deliveries of a kind that an earlier process left, and from now on those that come. */
  register(kind: DeliveryKind): void {
    this.#kinds.set(kind.name, kind);
    this.wake();
  }

  /** Whether deliveries of the kind are sent by this process. */
  sends(kind: string): boolean {
    return this.#kinds.has(kind);
  }

  /** A delivery may be due. May be called in the transaction that writes it. */
  wake(): void {
    if (this.#isStopped || this.#isWoken) return;
    this.#isWoken = true;
    this.#cancelAlarm?.();
    // The transaction that called is not over yet.
    queueMicrotask(() => {
      this.#isWoken = false;
      withoutBudget(() => this.#beginDue());
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelAlarm?.();
    if (this.#underWay.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const cutOff = setTimeout(() => {
      this.#cutOff.abort(new Error("the server stops"));
      resolve();
    }, stopGraceMs);
    await Promise.race([Promise.all([...this.#underWay.values()].map(({ end }) => end)), promise]);
    clearTimeout(cutOff);
  }

  #beginDue(): void {
    if (this.#isStopped || this.#kinds.size === 0) return;
    for (let next = this.#next(); next !== undefined; next = this.#next()) this.#begin(...next);
    this.#setAlarm();
  }

  #next(): [DeliveryKind, DeliveryRecord] | undefined {
    if (this.#underWay.size >= underWayMax) return undefined;
    const now = this.#parts.clock.now();
    const lanes = new Set([...this.#underWay.values()].map(({ lane }) => lane));
    const hosts = Map.groupBy(this.#underWay.values(), ({ host }) => host);
    for (const kind of this.#kinds.values()) {
      const found = this.#turns.next(kind.name, toDateTime(now), {
        isLaneFree: (lane) => !lanes.has(laneOf(kind.name, lane)) && this.#pauseOf(laneOf(kind.name, lane)) <= now,
        isFree: (delivery) => (hosts.get(hostOf(kind, delivery))?.length ?? 0) < underWayToHostMax,
      });
      if (found !== undefined) return [kind, found];
    }
    return undefined;
  }

  #begin(kind: DeliveryKind, delivery: DeliveryRecord): void {
    const lane = laneOf(kind.name, delivery.lane);
    const end = this.#deliver(kind, delivery.id, lane).finally(() => {
      this.#underWay.delete(delivery.id);
      this.wake();
    });
    this.#underWay.set(delivery.id, { lane, host: hostOf(kind, delivery), end });
  }

  async #deliver(kind: DeliveryKind, id: number, lane: string): Promise<void> {
    const { store, clock, log } = this.#parts;
    try {
      await store.settled();
      const delivery = store.of(deliveries).get(id);
      if (delivery === undefined) return;
      // Sent and not noted, it would be sent again and again until the disk has space.
      if (store.writeRefusal() !== undefined) return this.#pause(lane);
      if (kind.isWanted?.(delivery) === false) {
        log.info({ [kind.name]: delivery.reference }, `a ${kind.name} was dropped: it is not to be sent any more`);
        return this.#noteEnd(kind, delivery, { end: "dropped", status: null, startedMs: clock.now() });
      }
      const startedMs = clock.now();
      const outcome = await kind.send(delivery, this.#cutOff.signal);
      if (this.#cutOff.signal.aborted) return;
      if (outcome.isSent) this.#noteEnd(kind, delivery, { end: "sent", status: outcome.status, startedMs });
      else this.#noteFailure(kind, delivery, outcome, startedMs);
      if (outcome.isLaneBlocked === true) this.#pause(lane);
    } catch (error) {
      if (this.#cutOff.signal.aborted) return;
      this.#pause(lane);
      log.error({ error: String(error), [kind.name]: id }, `a ${kind.name} could not be sent or noted as sent`);
    }
  }

  #noteFailure(kind: DeliveryKind, delivery: DeliveryRecord, { status }: DeliveryOutcome, startedMs: number): void {
    const { store, clock, log } = this.#parts;
    const attempts = delivery.attempts + 1;
    const reason = { [kind.name]: delivery.reference, attempts, reason: status };
    if (attempts >= kind.attemptsMax) {
      log.error(reason, `a ${kind.name} was given up`);
      this.#noteEnd(kind, delivery, { end: "failed", status, startedMs });
      return;
    }
    log.warn(reason, `a ${kind.name} was not sent; it will be tried again`);
    const due_at = toDateTime(clock.now() + kind.delayMs(attempts));
    store.transact((tx) => tx.update(deliveries, { ...delivery, attempts, last_status: status, due_at }));
  }

  #noteEnd(
    kind: DeliveryKind,
    delivery: DeliveryRecord,
    {
      end,
      status: last_status,
      startedMs,
    }: { readonly end: DeliveryEnd; readonly status: string | null; readonly startedMs: number },
  ): void {
    const { store, clock } = this.#parts;
    const { id, target, reference, created_at } = delivery;
    const attempts = delivery.attempts + (end === "dropped" ? 0 : 1);
    const endedMs = clock.now();
    store.transact((tx) => {
      tx.remove(deliveries, id);
      tx.append(endedDeliveries, {
        ...{ id, kind: kind.name, target, reference, attempts, last_status, created_at, end },
        ended_at: toDateTime(endedMs),
        duration_ms: Math.max(endedMs - startedMs, 0),
      });
      kind.recordEnd?.(tx, delivery, end);
    });
    if (id % removalEvery === 0) deleteEndedDeliveries(store, endedMs);
  }

  #pauseOf(lane: string): number {
    return this.#pauses.get(lane) ?? 0;
  }

  #pause(lane: string): void {
    const now = this.#parts.clock.now();
    for (const [other, end] of this.#pauses) if (end <= now) this.#pauses.delete(other);
    this.#pauses.set(lane, now + pauseMs);
  }

  /** Looks again when the next delivery is due or a pause ends; the end of one that is under way wakes the worker itself. */
  #setAlarm(): void {
    const { store, clock } = this.#parts;
    const now = clock.now();
    const { due_at } = store.of(deliveries).by;
    const [next] = due_at.between(toDateTime(now + 1), undefined);
    const dueMs = next === undefined ? [] : [Date.parse(String(due_at.keyOf(next)))];
    const isLate = [...due_at.slice(0, 1, false)].some((id) => String(due_at.keyOf(id)) <= toDateTime(now));
    const pauses = isLate ? [...this.#pauses.values()].filter((end) => end > now) : [];
    const times = [...dueMs, ...pauses];
    if (times.length === 0) return;
    this.#cancelAlarm?.();
    this.#cancelAlarm = clock.after(Math.max(Math.min(...times) - now, 0), () => this.wake());
  }
}

function laneOf(kind: string, lane: string): string {
  return `${kind} ${lane}`;
}

function hostOf(kind: DeliveryKind, delivery: DeliveryRecord): string {
  return `${kind.name} ${kind.hostOf(delivery)}`;
}
