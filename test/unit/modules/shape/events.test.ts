import { describe, expect, test } from "bun:test";
import { type Context, type ContextParts, createContext } from "../../../../src/modules/kernel/context.ts";
import { domainEvent, type Phase, prepare, publish, subscribe } from "../../../../src/modules/kernel/event.ts";
import { assembleModules, defineModule, type ModuleManifest } from "../../../../src/modules/kernel/module.ts";
import { RemovalBudget } from "../../../../src/modules/kernel/removal.ts";
import type { Transaction } from "../../../../src/store/index.ts";

const bookLent = domainEvent<{ readonly title: string }>("book-lent");
const book = { title: "Momo" };
const tx = {} as Transaction;

function contextOf(...modules: ModuleManifest[]): Context {
  return createContext({} as ContextParts, assembleModules(modules));
}

/** A module that notes what it is told. */
function listening(name: string, told: string[], phase?: Phase): ModuleManifest {
  const run = (_: Transaction, __: Context, { title }: { readonly title: string }) =>
    void told.push(`${name} ${title}`);
  return defineModule({ name, on: [subscribe(bookLent, { ...(phase === undefined ? {} : { phase }), run })] });
}

const library = defineModule({ name: "library", events: [bookLent] });

test("subscribers run by their phases, in one phase in the order of the modules, without a phase in the middle", () => {
  const told: string[] = [];
  const modules = [listening("last", told, 9), listening("middle", told), listening("early", told, 4)];
  publish(tx, contextOf(...modules, library, listening("late middle", told, 5)), bookLent, book);
  expect(told).toEqual(["early Momo", "middle Momo", "late middle Momo", "last Momo"]);
});

test("an event without subscribers may be published", () => {
  expect(() => publish(tx, contextOf(library), bookLent, book)).not.toThrow();
});

test("an error of a subscriber reaches the publisher, and later subscribers do not run", () => {
  const told: string[] = [];
  const refusing = defineModule({
    name: "refusing",
    on: [
      subscribe(bookLent, {
        phase: 1,
        run() {
          throw new Error("no");
        },
      }),
    ],
  });
  const context = contextOf(library, listening("reader", told), refusing);
  expect(() => publish(tx, context, bookLent, book)).toThrow("no");
  expect(told).toEqual([]);
});

describe("subscribers that prepare", () => {
  const told: string[] = [];
  const preparing = (name: string) =>
    defineModule({
      name,
      on: [
        subscribe(bookLent, {
          prepare: async (_, { title }) => {
            told.push(`${name} prepares`);
            return `${name} prepared ${title}`;
          },
          run: (_, __, ___, prepared) => void told.push(prepared),
        }),
      ],
    });
  const context = contextOf(library, preparing("one"), listening("two", told), preparing("three"));

  test("prepare before all run, and get their prepared values", async () => {
    const prepared = await prepare(context, bookLent, book);
    publish(tx, context, bookLent, book, prepared);
    expect(told).toEqual(["one prepares", "three prepares", "one prepared Momo", "two Momo", "three prepared Momo"]);
  });

  test("are refused an event that was not declared for it", () => {
    expect(() => publish(tx, context, bookLent, book)).toThrow(
      "the event book-lent is published without what its subscribers prepare",
    );
  });
});

test("an event that no module declares cannot be published", () => {
  expect(() => publish(tx, contextOf(), bookLent, book)).toThrow("no module in the list declares the event book-lent");
});

test("a removal budget asks for more documents from call to call, and for none once it is spent", () => {
  const asked: number[] = [];
  const budget = new RemovalBudget({ textLength: 0 }, 10, () => 0);
  const remove = (present: number) => {
    let left = present;
    budget.spend((limit) => {
      asked.push(limit);
      const removed = Math.min(limit, left);
      left -= removed;
      return removed;
    });
  };
  remove(4);
  expect([asked, budget.left]).toEqual([[1, 2, 4], 6]);
  remove(100);
  remove(1);
  expect([asked, budget.left]).toEqual([[1, 2, 4, 4, 2], 0]);
});

test("a removal budget is spent by time too, but never without a removal", () => {
  let nowMs = 0;
  const budget = new RemovalBudget({ textLength: 0 }, 1000, () => nowMs);
  budget.spend(() => {
    nowMs += 12;
    return 0;
  });
  expect(budget.left).toBe(1000);
  let calls = 0;
  budget.spend((limit) => {
    calls += 1;
    return limit;
  });
  expect([calls, budget.left]).toEqual([1, 0]);
});

test("a removal budget ends in the middle of a batch when one document takes long", () => {
  const left = new Set(Array.from({ length: 100 }, (_, at) => at));
  let nowMs = 0;
  const budget = new RemovalBudget({ textLength: 0 }, 1000, () => nowMs);
  budget.each(
    () => left,
    (id) => {
      left.delete(id);
      // Seven ids are three batches, and the next batch has eight.
      if (id === 8) nowMs += 12;
    },
  );
  expect([left.size, budget.left]).toEqual([91, 0]);
});

test("a removal budget ends in the middle of a batch once the transaction has written many characters", () => {
  const left = new Set(Array.from({ length: 100 }, (_, at) => at));
  const tx = { textLength: 0 };
  const budget = new RemovalBudget(tx, 1000, () => 0);
  budget.each(
    () => left,
    (id) => {
      left.delete(id);
      tx.textLength += 100_000;
    },
  );
  expect([left.size, budget.left]).toEqual([89, 0]);
});
