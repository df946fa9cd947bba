import { describe, expect, test } from "bun:test";
import { silentLog } from "../../../../src/lib/log.ts";
import {
  Deliveries,
  type DeliveryKind,
  type DeliveryOutcome,
  enqueueDelivery,
  type NewDelivery,
} from "../../../../src/modules/core/deliveries/index.ts";
import { type DeliveryRecord, deliveries, endedDeliveries } from "../../../../src/modules/core/deliveries/records.ts";
import { deleteEndedDeliveries } from "../../../../src/modules/core/deliveries/retention.ts";
import { underWayMax, underWayToHostMax } from "../../../../src/modules/core/deliveries/worker.ts";
import type { Context } from "../../../../src/modules/kernel/context.ts";
import { startApp } from "../../../../src/server/app.ts";
import { configFor } from "../../../support/fixtures/config.ts";
import { FakeClock } from "../../../support/fixtures/fake-clock.ts";
import { startWorld } from "../../../support/fixtures/world.ts";
import { until } from "../../../support/process/fault-client.ts";
import { createTempFolder } from "../../../support/process/temp-folder.ts";

type Parts = Partial<NewDelivery>;

let lastReference = 0;

function queue(context: Context, ...all: readonly Parts[]): number[] {
  return context.store.transact((tx) =>
    all.map((each) => {
      lastReference += 1;
      const delivery = { kind: "hook", target: "http://a.example/", reference: lastReference, ...each };
      return enqueueDelivery(tx, context, delivery).reference;
    }),
  );
}

/** A kind whose deliveries end when the test says so. */
class HeldKind implements DeliveryKind {
  readonly name = "hook";
  readonly attemptsMax: number;
  readonly begun: number[] = [];
  readonly ended: [number, string][] = [];
  readonly #ends = new Map<number, (outcome: DeliveryOutcome) => void>();

  constructor(attemptsMax = 1) {
    this.attemptsMax = attemptsMax;
  }

  readonly delayMs = (attempts: number) => 1_000 * attempts;
  readonly hostOf = ({ target }: DeliveryRecord) => new URL(target).host;
  readonly recordEnd: NonNullable<DeliveryKind["recordEnd"]> = (_tx, { reference }, end) =>
    void this.ended.push([reference, end]);

  send({ reference }: DeliveryRecord): Promise<DeliveryOutcome> {
    this.begun.push(reference);
    const { promise, resolve } = Promise.withResolvers<DeliveryOutcome>();
    this.#ends.set(reference, resolve);
    return promise;
  }

  end(reference: number, outcome: DeliveryOutcome = { isSent: true, status: "200" }): void {
    const end = this.#ends.get(reference);
    if (end === undefined) throw new Error(`${reference} is not under way`);
    this.#ends.delete(reference);
    end(outcome);
  }

  get underWay(): number[] {
    return [...this.#ends.keys()];
  }

  /** Resolves when these are under way, and no others. */
  has(...references: readonly number[]): Promise<void> {
    return until(`${references} are under way`, () => this.underWay.join() === references.join());
  }
}

async function start(kind: DeliveryKind) {
  const world = await startWorld();
  world.context.get(Deliveries).register(kind);
  return world;
}

test("deliveries of one lane go one after the other in their order, those of others beside them", async () => {
  const kind = new HeldKind();
  const { context } = await start(kind);
  const [a1, a2, b1, a3] = queue(context, { lane: "a" }, { lane: "a" }, { lane: "b" }, { lane: "a" }) as [
    number,
    number,
    number,
    number,
  ];
  await kind.has(a1, b1);
  kind.end(a1);
  await kind.has(b1, a2);
  kind.end(b1);
  kind.end(a2);
  await kind.has(a3);
  kind.end(a3);
  await until("all ended", () => kind.ended.length === 4);
  expect(kind.ended).toEqual([a1, b1, a2, a3].map((reference) => [reference, "sent"]));
});

test("only so many go to one host at a time, and only so many in all", async () => {
  const kind = new HeldKind();
  const { context } = await start(kind);
  const lanes = (host: string, count: number) =>
    Array.from({ length: count }, (_, at) => ({ lane: `${host} ${at}`, target: `http://${host}.example/` }));
  queue(context, ...lanes("a", underWayToHostMax + 2));
  await until("the host is busy", () => kind.underWay.length === underWayToHostMax);
  for (let host = 0; host < underWayMax; host += 1) queue(context, ...lanes(`b${host}`, 2));
  await until("the worker is busy", () => kind.underWay.length === underWayMax);
  const seen: number[] = [];
  while (kind.underWay.length > 0) {
    const [first] = kind.underWay as [number];
    kind.end(first);
    await until("it is noted", () => kind.ended.some(([reference]) => reference === first));
    seen.push(kind.underWay.length);
  }
  expect(Math.max(...seen)).toBeLessThanOrEqual(underWayMax);
  expect([kind.ended.length, context.store.of(deliveries).size]).toEqual([2 * underWayMax + underWayToHostMax + 2, 0]);
});

describe("what fails", () => {
  const failure = { isSent: false, status: "503" };

  test("is given up at once by a kind without retries", async () => {
    const kind = new HeldKind();
    const { context, clock } = await start(kind);
    const [reference] = queue(context, {}) as [number];
    await kind.has(reference);
    clock.advance(250);
    kind.end(reference, failure);
    await until("it ended", () => kind.ended.length === 1);
    expect(context.store.logOf(endedDeliveries).get(1)).toMatchObject({
      ...{ kind: "hook", target: "http://a.example/", reference, attempts: 1, last_status: "503", end: "failed" },
      duration_ms: 250,
    });
  });

  test("is tried again when its kind says so, and others of its lane go meanwhile", async () => {
    const kind = new HeldKind(3);
    const { context, clock } = await start(kind);
    const [first, second] = queue(context, {}, {}) as [number, number];
    await kind.has(first);
    kind.end(first, failure);
    await kind.has(second);
    expect(context.store.of(deliveries).get(1)).toMatchObject({ attempts: 1, last_status: "503" });
    kind.end(second);
    await until("the second ended", () => kind.ended.length === 1);
    expect(kind.underWay).toEqual([]);
    clock.advance(1_000);
    await kind.has(first);
    kind.end(first, failure);
    await until("it waits", () => context.store.of(deliveries).get(1)?.attempts === 2);
    clock.advance(2_000);
    await kind.has(first);
    kind.end(first, failure);
    await until("it is given up", () => kind.ended.length === 2);
    expect(kind.ended).toEqual([
      [second, "sent"],
      [first, "failed"],
    ]);
  });

  test("stops its lane alone when nothing gets through that", async () => {
    const kind = new HeldKind(3);
    const { context, clock } = await start(kind);
    const [first, second, other] = queue(context, { lane: "a" }, { lane: "a" }, { lane: "b" }) as [
      number,
      number,
      number,
    ];
    await kind.has(first, other);
    kind.end(first, { ...failure, isLaneBlocked: true });
    kind.end(other);
    await until("the other ended", () => kind.ended.length === 1 && kind.underWay.length === 0);
    clock.advance(29_000);
    await Bun.sleep(0);
    expect(kind.underWay).toEqual([]);
    clock.advance(1_000);
    await until("the lane goes on", () => kind.underWay.length === 1);
    expect([first, second]).toContain(kind.underWay[0] as number);
  });

  test("by an error of the server is tried again, and logged", async () => {
    let calls = 0;
    const kind: DeliveryKind = {
      ...{ name: "hook", attemptsMax: 1, delayMs: () => 0, hostOf: () => "" },
      async send() {
        calls += 1;
        if (calls === 1) throw new Error("a defect");
        return { isSent: true, status: "200" };
      },
    };
    const world = await start(kind);
    queue(world.context, {});
    await until("it is logged", () => world.logged.some((line) => line.includes("a defect")));
    expect(world.store.of(deliveries).size).toBe(1);
    world.clock.advance(30_000);
    await until("it is sent", () => world.store.of(deliveries).size === 0);
  });
});

test("what is not to be sent any more is dropped", async () => {
  const kind = new HeldKind();
  const wanted = Object.assign(kind, { isWanted: ({ payload }: DeliveryRecord) => payload !== "unwanted" });
  const { context } = await start(wanted);
  const [dropped, sent] = queue(context, { payload: "unwanted" }, {}) as [number, number];
  await kind.has(sent);
  kind.end(sent);
  await until("both ended", () => kind.ended.length === 2);
  expect([kind.begun, kind.ended[0]]).toEqual([[sent], [dropped, "dropped"]]);
});

test("a transaction that fails leaves no delivery, and a process that was cut off none unsent", async () => {
  await using folder = await createTempFolder();
  const clock = new FakeClock();
  const first = await startApp(configFor(folder.path), silentLog, { clock });
  const kind = new HeldKind();
  first.context.get(Deliveries).register(kind);
  const failing = () =>
    first.context.store.transact((tx) => {
      enqueueDelivery(tx, first.context, { kind: "hook", target: "http://a.example/", reference: 1_000_000 });
      throw new Error("changed my mind");
    });
  expect(failing).toThrow("changed my mind");
  const [reference] = queue(first.context, {}) as [number];
  await kind.has(reference);
  // The stop waits a moment and then cuts it off.
  await first.stop();
  const second = await startApp(configFor(folder.path), silentLog, { clock });
  const again = new HeldKind();
  second.context.get(Deliveries).register(again);
  await again.has(reference);
  again.end(reference);
  await until("it ended", () => again.ended.length === 1);
  await second.stop();
});

test("deliveries that ended are kept for a bounded time and number, but none goes that may still end", async () => {
  const kind = new HeldKind();
  const { context, clock } = await start(kind);
  const ended = context.store.logOf(endedDeliveries);
  const idsOf = () => [1, 2, 3, 4, 5, 6].filter((id) => ended.get(id) !== undefined);
  const all = queue(
    context,
    ...Array.from({ length: 6 }, (_, at) => ({ lane: `${at}`, target: `http://h${at}.example/` })),
  );
  await kind.has(...all);
  for (const reference of all.slice(0, 3)) kind.end(reference);
  await until("three ended", () => ended.size === 3);
  clock.advance(86_400_000);
  for (const reference of all.slice(4)) kind.end(reference);
  await until("five ended", () => ended.size === 5);
  deleteEndedDeliveries(context.store, clock.now(), { count: 4, days: 30 });
  expect(idsOf()).toEqual([3, 5, 6]);
  deleteEndedDeliveries(context.store, clock.now(), { count: 1, days: 30 });
  expect(idsOf()).toEqual([5, 6]);
  kind.end(all[3] as number);
  await until("the last ended", () => ended.get(4) !== undefined);
  deleteEndedDeliveries(context.store, clock.now() + 2 * 86_400_000, { count: 10, days: 1 });
  expect(idsOf()).toEqual([]);
});
