import { expect, test } from "bun:test";
import { scanBytes, WorkPaused } from "../../../src/domain/text-scans.ts";
import { OverBudget, WorkBudget, withBudget } from "../../../src/domain/work-budget.ts";
import { normalise, TextField } from "../../../src/store/indexes/text-field.ts";

const wordOf = (word: string) => ({ bytes: normalise(word), key: word });
/** The slowest text for the search for `aba` that we know. */
const hostile = "a".repeat(1_048_576);

/** Repeats work until it is not interrupted. */
function finish<R>(budget: WorkBudget, work: () => R): { readonly result: R; readonly pauses: number } {
  for (let pauses = 0; ; pauses += 1) {
    try {
      return { result: withBudget(budget, work), pauses };
    } catch (error) {
      if (!(error instanceof WorkPaused)) throw error;
      budget.scans.repeat();
    }
  }
}

test("a word across the border of two pieces of a long text is found", () => {
  const field = new TextField();
  const places = [1, 2, 3, 4, 5, 6];
  for (const at of places) field.set(at, normalise(`${"-".repeat(scanBytes - at)}needle${"-".repeat(scanBytes)}`));
  field.set(7, normalise("-".repeat(scanBytes * 2)));
  expect(field.hits(0, wordOf("needle"), -1)).toBe(0b111_1110);
});

test("a long search is interrupted, goes on where it was, and finds all there is", () => {
  const field = new TextField();
  const endings = new Map(Array.from({ length: 60 }, (_, id) => [id, id % 3 === 0 ? "aba" : "aca"]));
  for (const [id, ending] of endings) field.set(id, normalise(`${hostile}${ending}`));
  const budget = new WorkBudget(Number.POSITIVE_INFINITY);
  budget.mayPause = true;
  const search = () =>
    [0, 1].map((block) => [field.hits(block, wordOf("aba"), -1), field.hits(block, wordOf("aca"), 7)]);
  const { result, pauses } = finish(budget, search);
  expect(pauses).toBeGreaterThan(3);
  expect(result).toEqual(search());
  expect(result.flat().every((bits) => bits !== 0)).toBe(true);
  // The time of the search is charged, and that of its repetitions is small beside it.
  const once = new WorkBudget(Number.POSITIVE_INFINITY);
  withBudget(once, search);
  expect(once.steps).toBeGreaterThan((60 * hostile.length) / 32);
  expect(budget.steps).toBeLessThan(once.steps * 3);
});

test("an interrupted search sees texts that changed meanwhile", () => {
  const field = new TextField();
  for (let id = 0; id < 32; id += 1) field.set(id, normalise(`${hostile}${id}`));
  const budget = new WorkBudget(Number.POSITIVE_INFINITY);
  budget.mayPause = true;
  const search = () => field.hits(0, wordOf("aba"), -1);
  expect(() => withBudget(budget, search)).toThrow(WorkPaused);
  field.set(1, normalise("now aba"));
  field.set(31, normalise(`${hostile}aba`));
  budget.scans.repeat();
  expect(finish(budget, search).result).toBe((1 << 1) | (1 << 31));
});

test("work that its caller does not repeat is not interrupted, and ends at its budget", () => {
  const field = new TextField();
  for (let id = 0; id < 20; id += 1) field.set(id, normalise(hostile));
  const search = () => field.hits(0, wordOf("aba"), -1);
  expect(withBudget(new WorkBudget(Number.POSITIVE_INFINITY), search)).toBe(0);
  expect(search()).toBe(0);
  expect(() => withBudget(new WorkBudget(500_000), search)).toThrow(OverBudget);
});
