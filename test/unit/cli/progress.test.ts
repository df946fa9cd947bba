import { describe, expect, test } from "bun:test";
import { amountOf, durationOf, Progress, type ProgressOutput } from "../../../src/cli/output/progress.ts";

function recorded(terminal: Partial<ProgressOutput> = {}) {
  const written: string[] = [];
  const clock = { ms: 0 };
  const output: ProgressOutput = {
    ...{ isTerminal: false, hasColour: false, columns: 100 },
    ...terminal,
    write: (text) => void written.push(text),
    now: () => clock.ms,
  };
  return { written, clock, output };
}

describe("progress", () => {
  test("a pipe gets one line every five seconds, and none before", () => {
    const { written, clock, output } = recorded();
    const progress = new Progress({ task: "backing up", unit: "bytes", total: 40_000_000 }, output);
    for (clock.ms = 0; clock.ms < 5_000; clock.ms += 50) progress.add(100_000);
    expect(written).toEqual([]);
    clock.ms = 5_000;
    progress.set(10_000_000);
    progress.set(10_000_001);
    expect(written).toEqual(["backing up: 25 %, 10.0 MB of 40.0 MB, 2.0 MB/s, 15 s left\n"]);
    progress.end();
    expect(written).toHaveLength(1);
  });

  test("a terminal gets one line that is drawn again, and given back at the end", () => {
    const { written, clock, output } = recorded({ isTerminal: true });
    const progress = new Progress({ task: "seeding", unit: "documents", total: 2_000 }, output);
    for (clock.ms = 10; clock.ms <= 1_000; clock.ms += 10) progress.add(10);
    expect(written.length).toBeGreaterThan(5);
    expect(written.length).toBeLessThan(12);
    expect(written.at(-1)).toBe(
      "\r\x1b[K[############------------] seeding: 50 %, 1,000 of 2,000 documents, 1,000/s, 1 s left",
    );
    progress.end();
    expect(written.at(-1)).toBe("\r\x1b[K");
  });

  test("a narrow terminal is never wrapped, and an unknown total has no bar", () => {
    const { written, clock, output } = recorded({ isTerminal: true, columns: 30 });
    const progress = new Progress({ task: "receiving", unit: "bytes" }, output);
    clock.ms = 1_000;
    progress.set(123_456_789);
    expect(written).toEqual(["\r\x1b[Kreceiving: 123.5 MB, 123.5 MB"]);
  });

  test("a total that is exceeded is shown no longer", () => {
    const { written, clock, output } = recorded({ isTerminal: true });
    const progress = new Progress({ task: "seeding", unit: "documents", total: 2_000 }, output);
    clock.ms = 1_000;
    progress.set(2_092);
    expect(written).toEqual(["\r\x1b[Kseeding: 2,092 documents, 2,092/s"]);
  });

  test("the bar takes what is left of the line", () => {
    const { written, clock, output } = recorded({ isTerminal: true, columns: 80 });
    const progress = new Progress({ task: "verifying", unit: "bytes", total: 430_000_000 }, output);
    clock.ms = 1_000;
    progress.set(215_000_000);
    expect(written[0]).toBe("\r\x1b[K[#########--------] verifying: 50 %, 215.0 MB of 430.0 MB, 215.0 MB/s, 1 s left");
    expect(written[0]?.length).toBe("\r\x1b[K".length + 79);
  });

  test("only a terminal that wants colours gets them", () => {
    const { written, clock, output } = recorded({ isTerminal: true, hasColour: true });
    const progress = new Progress({ task: "t", unit: "things", total: 0 }, output);
    clock.ms = 200;
    progress.set(0);
    expect(written[0]).toStartWith(`\r\x1b[K\x1b[36m[${"#".repeat(24)}]\x1b[0m t: 100 %`);
  });

  test("amounts and durations are short", () => {
    expect([0, 999, 1_000, 1_500_000, 2e12].map((count) => amountOf(count, "bytes"))).toEqual([
      ...["0 bytes", "999 bytes", "1.0 kB", "1.5 MB", "2.0 TB"],
    ]);
    expect([0.2, 59, 60, 3_599, 7_500].map(durationOf)).toEqual([
      ...["1 s", "59 s", "1 min 0 s", "59 min 59 s", "2 h 5 min"],
    ]);
  });
});

describe("progress of work in parts", () => {
  test("each part has its name and its own rate, and the lines keep their distance over all of them", () => {
    const { written, clock, output } = recorded();
    const progress = new Progress({ task: "reading", unit: "files" }, output);
    for (clock.ms = 0; clock.ms < 4_000; clock.ms += 40) progress.follow("reading", "files", clock.ms / 40, 100);
    for (clock.ms = 4_000; clock.ms <= 6_000; clock.ms += 500) {
      progress.follow("indexing", "steps", (clock.ms - 4_000) / 100, 40);
    }
    expect(written).toEqual(["indexing: 25 %, 10 of 40 steps, 10/s, 3 s left\n"]);
  });

  test("nothing is shown before the quiet time is over", () => {
    const { written, clock, output } = recorded({ isTerminal: true });
    const progress = new Progress({ task: "reading", unit: "files", quietMs: 1_000 }, output);
    for (clock.ms = 0; clock.ms < 1_000; clock.ms += 20) progress.set(clock.ms, 4_000);
    expect(written).toEqual([]);
    clock.ms = 1_000;
    progress.set(1_000, 4_000);
    expect(written).toHaveLength(1);
  });
});
