import { expect, test } from "bun:test";
import { Failure } from "../../../src/domain/failure.ts";
import {
  nextTurn,
  OverBudget,
  requestPace,
  spend,
  WorkBudget,
  withBudget,
  withoutBudget,
} from "../../../src/domain/work-budget.ts";

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

test("a request that takes as many steps as it may is served", () => {
  const budget = new WorkBudget(100);
  withBudget(budget, () => spend(100));
  expect(budget.steps).toBe(100);
});

test("one step more is refused: 400 because of the input, 503 because of the store's size", () => {
  const kindOf = (cause: "input" | "store") => {
    const thrown = thrownBy(() => withBudget(new WorkBudget(100), () => spend(101, cause)));
    if (!(thrown instanceof OverBudget)) throw thrown;
    return [thrown.workCause, thrown.kind];
  };
  expect(kindOf("input")).toEqual(["input", "invalid"]);
  expect(kindOf("store")).toEqual(["store", "unavailable"]);
});

test("work outside of a request takes as many steps as it needs", () => {
  spend(Number.MAX_SAFE_INTEGER);
  const budget = new WorkBudget(1);
  withBudget(budget, () => withoutBudget(() => spend(1_000)));
  expect(budget.steps).toBe(0);
});

test("two requests that take turns count their own steps", async () => {
  const [one, other] = [new WorkBudget(10), new WorkBudget(10)];
  const work = async (steps: number) => {
    spend(steps);
    await Promise.resolve();
    spend(steps);
    await new Promise((resolve) => setImmediate(resolve));
    spend(steps);
  };
  await Promise.all([withBudget(one, () => work(1)), withBudget(other, () => work(3))]);
  expect([one.steps, other.steps]).toEqual([3, 9]);
  await expect(withBudget(one, () => work(5))).rejects.toBeInstanceOf(Failure);
});

test("long work of a request waits for turns of the request, behind an await too", async () => {
  const budget = new WorkBudget();
  let turns = 0;
  budget.nextTurn = async () => {
    turns += 1;
  };
  await withBudget(budget, async () => {
    await nextTurn();
    await withoutBudget(() => nextTurn());
    const pace = requestPace();
    for (let turn = pace(); turns < 2; turn = pace()) if (turn !== true) await turn;
  });
  expect(turns).toBe(2);
});
