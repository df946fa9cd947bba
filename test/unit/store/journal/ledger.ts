import { expect } from "bun:test";
import { Failure } from "../../../../src/domain/failure.ts";
import type { Store } from "../../../../src/store/index.ts";
import type { SimulatedDisk } from "../../../support/disk/simulated-disk.ts";
import {
  applySteps,
  countOf,
  emptyState,
  indexFault,
  modelSteps,
  openSample,
  type State,
  type Step,
  stateOf,
} from "../sample-store.ts";

/** The knowledge of a client outside: every state of the store, and which of them it was told of. */
export class Ledger {
  /** `states[n]` is the one after n transactions. */
  readonly states: State[];
  /** So many transactions were acknowledged. */
  acknowledged: number;
  /** So many were refused for lack of space. */
  refused = 0;
  broken: unknown;

  constructor(start: State = emptyState) {
    this.states = [];
    this.states[countOf(start)] = start;
    this.acknowledged = countOf(start);
  }

  get last(): State {
    return this.states.at(-1) as State;
  }

  /** One transaction and the wait for its acknowledgement, which may never come. */
  async commit(store: Store, steps: readonly Step[]): Promise<void> {
    if (!this.change(store, steps)) return;
    const sequence = this.states.length - 1;
    const wasBroken = this.broken !== undefined;
    try {
      await store.settled();
    } catch (error) {
      expect(this.broken).toBeDefined();
      expect(error).toBeDefined();
      return;
    }
    if (wasBroken) throw new Error(`transaction ${sequence} was acknowledged by a broken store`);
    this.acknowledged = Math.max(this.acknowledged, sequence);
  }

  /** One transaction that nobody waits for. False when it was refused for lack of space. */
  change(store: Store, steps: readonly Step[]): boolean {
    try {
      store.transact((transaction) => applySteps(transaction, store, steps));
    } catch (error) {
      if (!(error instanceof Failure) || error.kind !== "unavailable") throw error;
      this.refused += 1;
      expect(stateOf(store)).toEqual(this.last);
      return false;
    }
    this.states.push(modelSteps(this.last, steps));
    return true;
  }

  /** A store whose breaking is noted here. */
  open(disk: SimulatedDisk, options: { journalFileBytes?: number } = {}): Promise<Store> {
    return openSample(disk, {
      ...options,
      onDiskFailure: (error) => {
        this.broken = error;
      },
    });
  }

  /** After a reopening: exactly a prefix of the transactions, with every acknowledged one in it. */
  check(store: Store, place: string): void {
    const state = stateOf(store);
    const count = countOf(state);
    if (count < this.acknowledged)
      throw new Error(`${place}: ${count} transactions, ${this.acknowledged} acknowledged`);
    if (count >= this.states.length) throw new Error(`${place}: ${count} transactions, ${this.states.length - 1} made`);
    if (!Bun.deepEquals(state, this.states[count]))
      throw new Error(`${place}: not the state after ${count} transactions`);
    const fault = indexFault(store);
    if (fault !== undefined) throw new Error(`${place}: ${fault}`);
  }
}

/** Ends an abandoned store's timers; its disk is broken, so nothing else comes of it. */
export async function abandon(store: Store): Promise<void> {
  await store.close().catch(() => undefined);
}

/**
 * Opens what a life left and checks it; loses the power at once, opens again: what was shown must still be there. Then
 * the store goes on as if nothing had been. Names the place in whatever fails.
 */
export async function reopenTwice(disk: SimulatedDisk, ledger: Ledger, seed: number, place: string): Promise<void> {
  try {
    const first = await ledger.open(disk);
    ledger.check(first, "opened");
    const shown = countOf(stateOf(first));
    const second = await ledger.open(disk.afterPowerLoss(seed + 1));
    ledger.check(second, "opened again");
    expect(countOf(stateOf(second))).toBeGreaterThanOrEqual(shown);
    await abandon(first);
    const onward = new Ledger(stateOf(second));
    await onward.commit(second, [{ kind: "put", id: 7, team: 7 }]);
    expect(onward.acknowledged).toBe(countOf(onward.last));
    expect(stateOf(second)).toEqual(onward.last);
    await second.close();
  } catch (error) {
    throw new Error(`${place}: ${error}`, { cause: error });
  }
}

/**
 * Does everything that a store does to a disk, in one short life: first start, commits alone and together, rotations,
 * checkpoints, segments that empty, a clean stop, a second start. Throws errors of the disk.
 */
export async function liveOnce(disk: SimulatedDisk, ledger: Ledger): Promise<void> {
  await withStore(disk, ledger, async (store) => {
    for (let id = 1; id <= 3; id += 1) await ledger.commit(store, [{ kind: "put", id, team: id }]);
    await together(6, (n) => ledger.commit(store, [{ kind: "put", id: 2100 + n, team: n }]));
    await store.checkpoint();
    await ledger.commit(store, [
      { kind: "remove", id: 2 },
      { kind: "put", id: 1, team: 8 },
    ]);
    await together(8, (n) => ledger.commit(store, [{ kind: "put", id: 3, team: n, padding: "x".repeat(700) }]));
    await ledger.commit(store, [{ kind: "put", id: 4, team: 1, padding: "larger than a file ".repeat(400) }]);
    await store.checkpoint();
    await together(6, (n) => ledger.commit(store, [{ kind: "put", id: 1500 + n, team: n, padding: "z".repeat(800) }]));
    for (let n = 0; n < 6; n += 1) await ledger.commit(store, [{ kind: "remove", id: 2100 + n }]);
    await Promise.all([
      store.checkpoint(),
      together(4, (n) => ledger.commit(store, [{ kind: "put", id: 5 + n, team: n, padding: "y".repeat(900) }])),
    ]);
    await store.checkpoint();
    await ledger.commit(store, [{ kind: "put", id: 1, team: 9 }]);
  });
  await withStore(disk, ledger, async (store) => {
    ledger.check(store, "second start");
    await together(3, (n) => ledger.commit(store, [{ kind: "put", id: 3000 + n, team: n }]));
    ledger.change(store, [{ kind: "put", id: 1, team: 10 }]);
  });
  ledger.acknowledged = Math.max(ledger.acknowledged, ledger.broken === undefined ? ledger.states.length - 1 : 0);
}

async function withStore(disk: SimulatedDisk, ledger: Ledger, use: (store: Store) => Promise<void>): Promise<void> {
  const store = await ledger.open(disk);
  try {
    await use(store);
    await store.close();
  } catch (error) {
    await abandon(store);
    throw error;
  }
}

async function together(count: number, run: (n: number) => Promise<void>): Promise<void> {
  const results = await Promise.allSettled(Array.from({ length: count }, (_, n) => run(n)));
  for (const result of results) if (result.status === "rejected") throw result.reason;
}
