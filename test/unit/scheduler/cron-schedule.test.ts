import { expect, onTestFinished, test } from "bun:test";
import fc from "fast-check";
import { type CronJob, daily, type LongWork } from "../../../src/modules/core/background-jobs/index.ts";
import { nextTimeOf } from "../../../src/scheduler/cron-schedule.ts";
import { gate, openJobHouse, until } from "./house.ts";

function noting(schedule: CronJob["schedule"], others: Partial<CronJob> = {}) {
  const times: string[] = [];
  const run = ({ context }: LongWork) => void times.push(new Date(context.clock.now()).toISOString());
  return { times, periodicWork: [{ name: "sweep", schedule, run, ...others }] };
}

test("daily work runs at midnight UTC, and at the start where declared", async () => {
  const { times, periodicWork } = noting(daily, { atStart: true });
  const house = await openJobHouse({ periodicWork });
  await house.scheduler.idle();
  expect(times).toEqual(["2025-03-10T09:30:00.250Z"]);
  const untilMidnight = Date.parse("2025-03-11T00:00:00Z") - house.clock.now();
  house.clock.advance(untilMidnight - 1);
  await house.scheduler.idle();
  expect(times).toHaveLength(1);
  house.clock.advance(1);
  await house.scheduler.idle();
  house.clock.advanceDays(1);
  await house.scheduler.idle();
  expect(times.slice(1)).toEqual(["2025-03-11T00:00:00.000Z", "2025-03-12T00:00:00.000Z"]);
  await house.store.close();
});

test("settings may choose the schedule of periodic work, or leave it out", async () => {
  const chosen: unknown[] = [];
  const { times, periodicWork } = noting((context) => {
    chosen.push(context);
    return { everyMs: 60_000 };
  });
  const left = noting(() => undefined);
  const house = await openJobHouse({ periodicWork: [...periodicWork, ...left.periodicWork] });
  house.clock.advance(60_000);
  await house.scheduler.idle();
  expect([chosen, times.length, left.times]).toEqual([[house.context], 1, []]);
  await house.store.close();
});

test("cron patterns are read in UTC, also on a machine where the hour is skipped for summer time", async () => {
  const { TZ } = process.env;
  process.env.TZ = "Europe/Berlin";
  onTestFinished(() => {
    process.env.TZ = TZ ?? "UTC";
  });
  expect(new Date("2025-03-30T01:30:00Z").getHours()).toBe(3);
  const { times, periodicWork } = noting({ cron: "30 2 29-31 3 *" });
  const house = await openJobHouse({ periodicWork });
  for (let hours = 0; hours < 24 * 25; hours += 1) {
    house.clock.advance(3_600_000);
    await house.scheduler.idle();
  }
  expect(times.map((time) => time.slice(0, 13))).toEqual(["2025-03-29T02", "2025-03-30T02", "2025-03-31T02"]);
  await house.store.close();
});

test("missed times are caught up once", async () => {
  const { times, periodicWork } = noting({ everyMs: 60_000 });
  const house = await openJobHouse({ periodicWork });
  await house.scheduler.idle();
  expect(times).toEqual([]);
  house.clock.advance(10 * 60_000);
  await house.scheduler.idle();
  expect(times).toHaveLength(1);
  house.clock.advance(60_000);
  await house.scheduler.idle();
  expect(times).toHaveLength(2);
  await house.store.close();
});

test("work that takes longer than its interval does not run twice at once", async () => {
  const done = gate();
  let begun = 0;
  const run = async () => {
    begun += 1;
    await done.opened;
  };
  const house = await openJobHouse({ periodicWork: [{ name: "slow", schedule: { everyMs: 1_000 }, run }] });
  house.clock.advance(1_000);
  await until(() => begun === 1);
  house.clock.advance(5_000);
  done.open();
  await house.scheduler.idle();
  expect(begun).toBe(1);
  house.clock.advance(1_000);
  await house.scheduler.idle();
  expect(begun).toBe(2);
  await house.store.close();
});

test("a time of each day is the one that a cron pattern gives", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_102_444_800_000 }), fc.integer({ min: 0, max: 1_439 }), (from, minute) => {
      const pattern = `${minute % 60} ${Math.floor(minute / 60)} * * *`;
      const dailyAtMs = minute * 60_000;
      expect(nextTimeOf({ dailyAtMs })(from)).toBe(nextTimeOf({ cron: pattern })(from));
    }),
  );
});

test("work that fails is logged and tried again soon, and then follows its schedule", async () => {
  const times: number[] = [];
  const start = Date.parse("2025-03-10T09:30:00.250Z");
  const run = ({ context }: LongWork) => {
    times.push(Math.round((context.clock.now() - start) / 1_000));
    if (times.length < 3) throw new Error("not now");
  };
  const house = await openJobHouse({
    periodicWork: [{ name: "sweep", schedule: { everyMs: 100_000 }, atStart: true, run }],
  });
  for (let seconds = 0; seconds < 120; seconds += 1) {
    await house.scheduler.idle();
    house.clock.advance(1_000);
  }
  await house.scheduler.idle();
  expect(times).toEqual([0, 5, 15, 115]);
  expect(house.logged.filter((line) => line.startsWith("periodic work failed"))).toHaveLength(2);
  await house.store.close();
});

test("a stop ends periodic work at its next step, and starts none", async () => {
  let steps = 0;
  const run = async ({ pace }: LongWork) => {
    for (;;) {
      steps += 1;
      if (steps === 5) void house.scheduler.stop(60_000);
      await pace();
    }
  };
  const house = await openJobHouse({ periodicWork: [{ name: "endless", schedule: daily, run }] });
  house.clock.advanceDays(1);
  await until(() => steps === 5);
  await house.scheduler.stop(60_000);
  house.clock.advanceDays(3);
  await new Promise(setImmediate);
  expect(steps).toBe(5);
  await house.store.close();
});

test("an invalid pattern is refused at the start", async () => {
  const { periodicWork } = noting({ cron: "every now and then" });
  await expect(openJobHouse({ periodicWork })).rejects.toThrow();
});
