import { describe, expect, test } from "bun:test";
import { Failure } from "../../../src/domain/failure.ts";
import { WorkBudget, withBudget, withoutLimit } from "../../../src/domain/work-budget.ts";
import { memoryGuard, systemMemory } from "../../../src/store/journal/memory.ts";
import { SimulatedDisk } from "../../support/disk/simulated-disk.ts";
import { notes, openSample } from "./sample-store.ts";

function guardAt(minFreePercent: number) {
  const memory = { freePercent: 100, now: 0, reads: 0 };
  const read = () => {
    memory.reads += 1;
    return { sizeBytes: 1_000_000, freeBytes: memory.freePercent * 10_000 };
  };
  const requireMemory = memoryGuard(minFreePercent, read, () => memory.now);
  const isTaken = (freePercent: number, bytes: number) => {
    memory.freePercent = freePercent;
    memory.now += 1_000;
    try {
      requireMemory(bytes);
      return true;
    } catch (error) {
      expect(error).toBeInstanceOf(Failure);
      expect((error as Failure).kind).toBe("no_room");
      return false;
    }
  };
  return { memory, isTaken };
}

function ordinary(): WorkBudget {
  const budget = new WorkBudget();
  budget.isEssential = false;
  return budget;
}

describe("a change", () => {
  test.each([
    [10, 1 << 20, true],
    [9.9, 4_096, true],
    [9.9, 4_097, false],
    [4.9, 1_024, true],
    [4.9, 1_025, false],
    [2.5, 1_024, true],
    [2.4, 1, false],
    [0, 1, false],
    [12, 1 << 20, true],
  ])("with %p %% of the memory free, of %p bytes: %p", (freePercent, bytes, isTaken) => {
    expect(withBudget(ordinary(), () => guardAt(10).isTaken(freePercent, bytes))).toBe(isTaken);
  });

  test.each([
    [9.9, 4_097, false],
    [0, 4_097, false],
    [0, 4_096, true],
  ])("of essential work, with %p %% of the memory free, of %p bytes: %p", (freePercent, bytes, isTaken) => {
    expect(guardAt(10).isTaken(freePercent, bytes)).toBe(isTaken);
    expect(withBudget(new WorkBudget(), () => guardAt(10).isTaken(freePercent, bytes))).toBe(isTaken);
  });

  test("of the end of ordinary work is ordinary", () => {
    expect(withBudget(ordinary(), () => withoutLimit(() => guardAt(10).isTaken(0, 1)))).toBe(false);
  });

  test("is accepted again once there is memory", () => {
    const { isTaken } = guardAt(10);
    expect([isTaken(5, 1 << 20), isTaken(50, 1 << 20)]).toEqual([false, true]);
  });

  test("is always accepted without a limit", () => {
    const { memory, isTaken } = guardAt(0);
    expect(isTaken(0, 1 << 30)).toBe(true);
    expect(memory.reads).toBe(0);
  });
});

test("the memory is measured four times a second at most", () => {
  let reads = 0;
  let now = 0;
  const read = () => {
    reads += 1;
    return { sizeBytes: 100, freeBytes: 50 };
  };
  const requireMemory = memoryGuard(5, read, () => now);
  for (; now < 1_000; now += 1) requireMemory(1 << 20);
  expect(reads).toBe(4);
});

test("the system returns its memory", () => {
  const { sizeBytes, freeBytes } = systemMemory();
  expect(sizeBytes).toBeGreaterThan(1 << 27);
  expect(freeBytes).toBeWithin(1, sizeBytes + 1);
});

test("a text that was cut out of a large one does not keep the large one in memory", async () => {
  const store = await openSample(new SimulatedDisk());
  const cut = (at: number) =>
    Buffer.from(`the beginning of a long text, ${at} ${"x".repeat(2 ** 20)}`)
      .toString()
      .slice(0, 40);
  const residentMiB = () => {
    Bun.gc(true);
    return process.memoryUsage().rss / 2 ** 20;
  };
  const before = residentMiB();
  for (let id = 1; id <= 100; id += 1) {
    store.transact((tx) => tx.insert(notes, { id, author: 1, text: cut(id) }));
    store.transact((tx) => tx.update(notes, { id, author: 1, text: cut(-id) }));
    store.touch(notes, { id, author: 1, text: cut(2 * id) });
  }
  expect(residentMiB() - before).toBeLessThan(50);
  expect(store.of(notes).get(7)?.text).toStartWith("the beginning of a long text, 14 xxx");
  await store.close();
});

test("a store without memory for deferred changes is closed all the same", async () => {
  let isLow = false;
  const requireMemory = () => {
    if (isLow) throw new Failure("no_room", { message: "no memory" });
  };
  const store = await openSample(new SimulatedDisk(), { requireMemory });
  store.transact((tx) => tx.insert(notes, { id: 1, author: 1, text: "a" }));
  isLow = true;
  expect(() => store.transact((tx) => tx.insert(notes, { id: 2, author: 1, text: "b" }))).toThrow("no memory");
  store.touch(notes, { id: 1, author: 1, text: "c" });
  await store.close();
});
