import { expect, test } from "bun:test";
import { EventLoopWatch } from "../../../src/http/metrics/event-loop.ts";

test("a check that is late by a second counts as a hold, and the longest is recorded", () => {
  const watch = new EventLoopWatch();
  watch.expect(0);
  for (const now of [100, 230, 1_329, 1_430]) watch.look(now);
  expect([watch.holds, watch.longestHoldSeconds]).toEqual([0, 0]);
  expect([3_530, 3_630, 4_730].map((now) => watch.look(now))).toEqual([2_000, 0, 1_000]);
  expect([watch.holds, watch.longestHoldSeconds, watch.delays.count]).toEqual([2, 2, 7]);
});
