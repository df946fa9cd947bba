import { expect, test } from "bun:test";
import { LogCounters } from "../../../src/cli/log/thread/counters.ts";
import { LogThread } from "../../../src/cli/log/thread/log-thread.ts";
import { LogWriter } from "../../../src/cli/log/thread/log-writer.ts";
import { logThreadProgram } from "../../../src/workers.ts";
import { openUnreadPipe } from "../../support/process/unread-pipe.ts";

const choice = { logFormat: "json", logLevel: "info" } as const;

/** A writer to a reader that takes what it is told to; what it refuses fails with `code`. */
function writerTo(takes: (bytes: number) => number | string) {
  let text = "";
  const planned: (() => void)[] = [];
  const counters = new LogCounters();
  const writer = new LogWriter(counters, {
    write(bytes) {
      const taken = takes(bytes.length);
      if (typeof taken === "string") throw Object.assign(new Error(taken), { code: taken });
      text += Buffer.from(bytes.subarray(0, taken)).toString();
      return taken;
    },
    later: (action) => planned.push(action),
    noticeOf: (dropped) => `(${dropped} lines dropped)\n`,
  });
  return {
    counters,
    written: () => text,
    planned,
    take(lines: string, dropped = 0) {
      counters.handOver(lines.length);
      writer.take({ text: lines, dropped });
    },
  };
}

test("output that a pipe does not take is stored in its order, and one timer tries it again", () => {
  let room = 3;
  const log = writerTo((bytes) => {
    const taken = Math.min(room, bytes);
    room -= taken;
    return taken === 0 ? "EAGAIN" : taken;
  });
  log.take("one\n");
  log.take("two\n");
  expect([log.written(), log.planned.length, log.counters.waiting]).toEqual(["one", 1, 8]);
  room = 100;
  log.planned.pop()?.();
  expect([log.written(), log.planned.length, log.counters.waiting]).toEqual(["one\ntwo\n", 0, 0]);
  expect(log.counters.dropped).toBe(0);
});

test.each([["ENOSPC"], ["EPIPE"]])(
  "lines that fail with %s are counted, and the next written line reports how many",
  (code) => {
    let isFailing = true;
    const log = writerTo((bytes) => (isFailing ? code : bytes));
    log.take("one\ntwo\n");
    log.take("three\n");
    expect([log.counters.dropped, log.counters.waiting]).toEqual([3, 0]);
    isFailing = false;
    log.take("four\n");
    log.take("five\n", 2);
    expect(log.written()).toBe("(3 lines dropped)\nfour\n(2 lines dropped)\nfive\n");
  },
);

test("an interrupted line is ended before the next begins", () => {
  const answers: (number | string)[] = [2, "ENOSPC"];
  const log = writerTo((bytes) => answers.shift() ?? bytes);
  log.take("one\n");
  log.take("two\n");
  expect(log.written()).toBe("on\n(1 lines dropped)\ntwo\n");
});

test("beyond 8 MiB without a reader lines are dropped and counted; later a line reports how many", async () => {
  await using pipe = await openUnreadPipe({ waits: true });
  pipe.fill();
  const thread = new LogThread(choice, logThreadProgram, pipe.writer);
  const line = (number: number) => `${`${number} `.padEnd(1023, "x")}\n`;
  const taken = 8 * 1024;
  for (let number = 0; number < taken + 100; number += 1) thread.write(line(number));
  thread.flush();
  const dropped = thread.droppedLines;
  expect(dropped).toBeGreaterThanOrEqual(100);
  let text = "";
  const readUntil = async (end: string) => {
    while (!text.endsWith(end)) {
      text += pipe.read();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await readUntil(line(taken + 100 - dropped - 1));
  thread.write("after\n");
  thread.flush();
  await readUntil("after\n");
  const lines = text.split("\n").filter((each) => !/^x*$/.test(each));
  const numbers = lines.slice(0, -2).map((each) => Number.parseInt(each, 10));
  expect(numbers).toEqual(Array.from({ length: taken + 100 - dropped }, (_, number) => number));
  expect(JSON.parse(lines.at(-2) ?? "")).toMatchObject({
    level: "error",
    lines: dropped,
    msg: `${dropped} lines dropped`,
  });
  expect(thread.droppedLines).toBe(dropped);
});
