import { test } from "bun:test";
import fc from "fast-check";
import { SimulatedDisk } from "../../../support/disk/simulated-disk.ts";
import { countOf, stateOf } from "../sample-store.ts";
import { abandon, Ledger } from "./ledger.ts";

const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("put" as const),
      id: fc.integer({ min: 1, max: 3000 }),
      team: fc.integer({ min: 0, max: 9 }),
      padding: fc.string({ maxLength: 300, unit: "binary" }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("remove" as const), id: fc.integer({ min: 1, max: 40 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("put" as const),
      id: fc.integer({ min: 1, max: 40 }),
      team: fc.integer({ min: 0, max: 9 }),
    }),
  },
);
const steps = fc.array(step, { minLength: 1, maxLength: 5 });

const event = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant("commit" as const), steps }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("commit together" as const),
      all: fc.array(steps, { minLength: 2, maxLength: 6 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("change" as const), steps }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("checkpoint" as const), meanwhile: fc.array(steps, { maxLength: 3 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("close" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("kill" as const), turns: fc.integer({ min: 0, max: 4 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("power loss" as const),
      turns: fc.integer({ min: 0, max: 4 }),
      seed: fc.integer(),
    }),
  },
);

test("any sequence of transactions, checkpoints, clean stops, kills and power losses replays to the model's state", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 4, maxLength: 40 }), async (events) => {
      let disk = new SimulatedDisk();
      let ledger = new Ledger();
      let store = await ledger.open(disk);
      const reopen = async (next: SimulatedDisk) => {
        await abandon(store);
        disk = next;
        store = await ledger.open(disk);
        ledger.check(store, "reopened");
        // The state after this start is the reference from here on.
        const shown = stateOf(store);
        if (ledger.acknowledged > countOf(shown)) throw new Error("an acknowledged transaction is gone");
        ledger = new Ledger(shown);
      };
      for (const each of events) {
        if (each.kind === "commit") await ledger.commit(store, each.steps);
        else if (each.kind === "change") ledger.change(store, each.steps);
        else if (each.kind === "commit together") await Promise.all(each.all.map((one) => ledger.commit(store, one)));
        else if (each.kind === "checkpoint") {
          await Promise.all([store.checkpoint(), ...each.meanwhile.map((one) => ledger.commit(store, one))]);
        } else if (each.kind === "close") {
          await store.close();
          ledger.acknowledged = ledger.states.length - 1;
          store = await ledger.open(disk);
          ledger.check(store, "closed and opened");
        } else {
          const checkpoint = store.checkpoint();
          for (let n = 0; n < each.turns; n += 1) await new Promise(setImmediate);
          const next = each.kind === "kill" ? disk.afterKill() : disk.afterPowerLoss(each.seed);
          await checkpoint;
          await reopen(next);
        }
      }
      await store.close();
    }),
    { numRuns: 300 },
  );
}, 600_000);
