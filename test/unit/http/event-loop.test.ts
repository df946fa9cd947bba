import { expect, jest, test } from "bun:test";
import { EventLoopWatch } from "../../../src/http/metrics/event-loop.ts";
import { LoopActivity } from "../../../src/lib/loop-activity.ts";

test("a check that is late by a second counts as a hold, and the longest is recorded", () => {
  const watch = new EventLoopWatch();
  watch.expect(0);
  for (const now of [100, 230, 1_329, 1_430]) watch.look(now);
  expect([watch.holds, watch.longestHoldSeconds]).toEqual([0, 0]);
  expect([3_530, 3_630, 4_730].map((now) => watch.look(now))).toEqual([2_000, 0, 1_000]);
  expect([watch.holds, watch.longestHoldSeconds, watch.delays.count]).toEqual([2, 2, 7]);
});

test("the watch rests while nothing works, and begins again with the next work", () => {
  jest.useFakeTimers();
  try {
    const activity = new LoopActivity();
    const watch = new EventLoopWatch();
    watch.start(activity, () => {});
    const pass = (ms: number) => jest.advanceTimersByTime(ms);
    pass(4_000);
    expect(activity.lastBeat()).toBeDefined();
    activity.enter(1);
    activity.leave();
    pass(4_000);
    expect(activity.lastBeat()).toBeDefined();
    pass(2_000);
    expect([activity.lastBeat(), jest.getTimerCount()]).toEqual([undefined, 0]);
    activity.enter(1);
    expect([typeof activity.lastBeat(), jest.getTimerCount()]).toEqual(["number", 1]);
    activity.follow(activity.numberOf("job project_deletion"), new Promise(() => {}));
    pass(60_000);
    expect(activity.lastBeat()).toBeDefined();
    watch.stop();
    activity.enter(1);
    expect([activity.lastBeat(), jest.getTimerCount()]).toEqual([undefined, 0]);
  } finally {
    jest.useRealTimers();
  }
});

test("another thread knows names that came later, and names beyond the bounds have no number", () => {
  const activity = new LoopActivity();
  const watching = new LoopActivity(activity.memory);
  expect([watching.running(), watching.underWay()]).toEqual([undefined, []]);
  const [short, late] = [activity.numberOf("GET /projects"), activity.numberOf("job é")];
  expect([short, activity.numberOf("GET /projects"), late]).toEqual([1, 1, 2]);
  activity.enter(late);
  activity.follow(short, new Promise(() => {}));
  expect([watching.running(), watching.underWay()]).toEqual(["job é", ["GET /projects"]]);
  expect(activity.numberOf("x".repeat(65_536))).toBe(0);
  const numbers = Array.from({ length: 1_100 }, (_, index) => activity.numberOf(`GET /${index}`));
  expect([numbers[0], numbers[1_020], numbers[1_021], numbers.at(-1)]).toEqual([3, 1_023, 0, 0]);
  activity.enter(numbers[1_020] as number);
  expect(watching.running()).toBe("GET /1020");
  activity.enter(0);
  expect(watching.running()).toBeUndefined();
});
