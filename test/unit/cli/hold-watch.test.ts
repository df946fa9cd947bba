import { expect, test } from "bun:test";
import { type Hold, HoldWatch } from "../../../src/cli/log/thread/hold-watch.ts";
import { LogThread } from "../../../src/cli/log/thread/log-thread.ts";
import { LoopActivity } from "../../../src/lib/loop-activity.ts";
import { logThreadProgram } from "../../../src/workers.ts";
import { openUnreadPipe } from "../../support/process/unread-pipe.ts";

/** A watch on a loop that beats when told to, by a clock of its own. */
function watchLoop() {
  const activity = new LoopActivity();
  const warned: Hold[] = [];
  let [now, looks] = [10_000, 0];
  let next: { action: () => void; at: number } | undefined;
  activity.beat(now);
  new HoldWatch(activity, {
    now: () => now,
    later: (action, ms) => {
      next = { action, at: now + ms };
    },
    warn: (hold) => warned.push(hold),
  });
  return {
    activity,
    warned,
    looks: () => looks,
    /** Lets the time go by; the loop beats each 100 ms, or stands still. */
    pass(ms: number, isBeating: boolean) {
      for (const end = now + ms; now < end; ) {
        now += 100;
        if (isBeating) activity.beat(now);
        if (next === undefined || now < next.at) continue;
        looks += 1;
        next.action();
      }
    },
    /** The process stands still, and so does the watch. */
    standStill(ms: number) {
      now += ms;
    },
  };
}

test("a running loop is checked about once a second, and nothing is logged", () => {
  const loop = watchLoop();
  loop.pass(60_000, true);
  expect(loop.warned).toEqual([]);
  expect(loop.looks()).toBeLessThan(80);
});

test("a loop that is held for a second is logged once, with the current work and what waits", () => {
  const loop = watchLoop();
  loop.pass(1_700, true);
  const waiting = Promise.withResolvers<void>();
  loop.activity.follow(loop.activity.numberOf("job project_deletion"), waiting.promise);
  loop.activity.enter(loop.activity.numberOf("POST /projects"));
  loop.pass(900, false);
  expect(loop.warned).toEqual([]);
  loop.pass(100, false);
  const hold = { operation: "POST /projects", under_way: ["job project_deletion"], held_ms: 1_000 };
  expect(loop.warned).toEqual([hold]);
  loop.pass(60_000, false);
  expect(loop.warned).toEqual([hold]);
});

test("each hold is logged, also of unnamed work", () => {
  const loop = watchLoop();
  for (let hold = 1; hold <= 3; hold += 1) {
    loop.pass(5_000, true);
    loop.pass(2_000, false);
    expect(loop.warned).toHaveLength(hold);
  }
  expect(loop.warned[2]).toMatchObject({ operation: undefined, under_way: [] });
});

test("neither a process that stood still nor a loop at rest counts as held", () => {
  const loop = watchLoop();
  loop.pass(1_000, true);
  loop.standStill(60_000);
  loop.pass(5_000, true);
  loop.activity.rest();
  loop.pass(60_000, false);
  expect(loop.warned).toEqual([]);
});

test.each([["json"], ["text"]] as const)(
  "the thread of the log warns as %s while this one is held",
  async (logFormat) => {
    await using pipe = await openUnreadPipe({ waits: true });
    const thread = new LogThread({ logFormat, logLevel: "warn" }, logThreadProgram, pipe.writer);
    const activity = new LoopActivity();
    activity.beat(Date.now());
    activity.enter(activity.numberOf("GET /projects"));
    thread.watch(activity);
    // The thread starts with its first lines.
    thread.write("welcome\n");
    thread.flush();
    let text = "";
    const cell = new Int32Array(new SharedArrayBuffer(4));
    // No turn of the loop until the line is there.
    while (!text.includes("the event loop is blocked")) {
      Atomics.wait(cell, 0, 0, 10);
      text += pipe.read();
    }
    activity.rest();
    expect(text.match(/the event loop is blocked/g)).toHaveLength(1);
    const line = text.split("\n")[1] ?? "";
    if (logFormat === "json") expect(JSON.parse(line)).toMatchObject({ level: "warn", operation: "GET /projects" });
    else expect(line).toContain('operation="GET /projects"');
  },
);
