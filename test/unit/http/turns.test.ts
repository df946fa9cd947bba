import { expect, test } from "bun:test";
import { Turns } from "../../../src/http/limits/turns.ts";

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Requests that take so many milliseconds each, by a clock of their own. */
function measuredTurns() {
  let now = 0;
  const done: string[] = [];
  const turns = new Turns({ now: () => now });
  const ask = (name: string, ms: number, sender?: string) =>
    turns.run(
      () => {
        now += ms;
        done.push(name);
        return name;
      },
      () => sender ?? "",
    );
  return { done, ask };
}

test("requests are answered in the turn that they come in, up to so much work", async () => {
  const { done, ask } = measuredTurns();
  expect([ask("a", 10), ask("b", 10), ask("c", 10)]).toEqual(["a", "b", "c"]);
  const waiting = ["d", "e", "f", "g"].map((name) => ask(name, 10));
  expect(done).toEqual(["a", "b", "c"]);
  // The first turn ends, and those that wait begin in the next one.
  await turn();
  await turn();
  expect(done).toEqual(["a", "b", "c", "d", "e", "f"]);
  expect(await Promise.all(waiting)).toEqual(["d", "e", "f", "g"]);
});

test("one that comes while there is time goes before those that wait", async () => {
  const { done, ask } = measuredTurns();
  const heavy = Array.from({ length: 4 }, (_, at) => ask(`heavy ${at}`, 100));
  expect(done).toEqual(["heavy 0"]);
  const light = new Promise((resolve) => setImmediate(() => resolve(ask("light", 1))));
  await Promise.all([...heavy, light]);
  expect(done.indexOf("light")).toBeLessThan(done.length - 1);
});

test("those that wait go one of each sender at a time", async () => {
  const { done, ask } = measuredTurns();
  await ask("first", 100, "ann");
  const waiting = ["e1", "e2", "e3", "e4"].map((name) => ask(name, 10, "eve"));
  waiting.push(ask("b1", 10, "bob"), ask("b2", 10, "bob"));
  await Promise.all(waiting);
  expect(done).toEqual(["first", "e1", "b1", "e2", "b2", "e3", "e4"]);
});

test("a sender whose requests take long goes behind others, and not for ever", async () => {
  const { done, ask } = measuredTurns();
  await ask("e0", 300, "eve");
  const waiting = ["e1", "e2"].map((name) => ask(name, 300, "eve"));
  waiting.push(ask("b1", 5, "bob"), ask("b2", 5, "bob"));
  await Promise.all(waiting);
  expect(done).toEqual(["e0", "b1", "b2", "e1", "e2"]);
  await ask("pause", 1_000, "carl");
  const later = [ask("e3", 5, "eve"), ask("b3", 5, "bob")];
  await Promise.all(later);
  expect(done.slice(-2)).toEqual(["e3", "b3"]);
});

test("one that took long waits while others do, also when a turn has time left", async () => {
  const { done, ask } = measuredTurns();
  await ask("e0", 30, "eve");
  const waiting = Array.from({ length: 40 }, (_, at) => ask(`b${at}`, 10, "bob"));
  const again = new Promise((resolve) => setImmediate(() => resolve(ask("e1", 30, "eve"))));
  await Promise.all([...waiting, again]);
  expect(done.indexOf("e1")).toBeGreaterThan(3);
  expect(done.indexOf("e1")).toBeLessThan(done.length - 1);
});

test("work behind a promise that is fulfilled already counts", async () => {
  let now = 0;
  const done: string[] = [];
  const turns = new Turns({ now: () => now });
  const ask = async (name: string) => {
    await Promise.resolve();
    now += 20;
    done.push(name);
  };
  const waiting: unknown[] = [];
  waiting.push(
    turns.run(() => {
      now += 30;
    }),
  );
  for (const name of ["a", "b", "c", "d"]) waiting.push(turns.run(() => ask(name)));
  await turn();
  await turn();
  expect(done).toEqual(["a", "b"]);
  await Promise.all(waiting);
  expect(done).toEqual(["a", "b", "c", "d"]);
});

test("an error is that of its own request", async () => {
  const { done, ask } = measuredTurns();
  await ask("long", 30);
  const turns = new Turns({ now: () => 0 });
  expect(() =>
    turns.run(() => {
      throw new Error("at once");
    }),
  ).toThrow("at once");
  let now = 0;
  const busy = new Turns({ now: () => now });
  expect(
    busy.run(() => {
      now += 50;
      return "long";
    }),
  ).toBe("long");
  const failing = busy.run((): string => {
    throw new Error("later");
  });
  const following = busy.run(() => "fine");
  await expect(failing).rejects.toThrow("later");
  expect(await following).toBe("fine");
  expect(done).toEqual(["long"]);
});

test("slices of requests that come at once are spread over turns, and those of each sender go in turn", async () => {
  let now = 0;
  let loops = 0;
  const turns = new Turns({ now: () => now, turnMsMax: 5 });
  const slices: { readonly name: string; readonly loop: number }[] = [];
  const request = async (name: string) => {
    for (let slice = 0; slice < 3; slice += 1) {
      await turns.next(() => name);
      now += 10;
      slices.push({ name, loop: loops });
    }
  };
  const requests = Promise.all([..."eeeeeeee", "b"].map(request));
  let isDone = false;
  requests.then(() => {
    isDone = true;
  }, expect.unreachable);
  for (; !isDone; loops += 1) await turn();
  await requests;
  expect(slices).toHaveLength(27);
  // One that comes while there is time, and one that waited.
  const counts = Map.groupBy(slices, ({ loop }) => loop)
    .values()
    .map(({ length }) => length);
  expect(Math.max(...counts)).toBeLessThanOrEqual(2);
  expect(slices.slice(0, 8).filter(({ name }) => name === "b").length).toBeGreaterThan(1);
});
