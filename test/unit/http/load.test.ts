import { expect, test } from "bun:test";
import { Failure } from "../../../src/domain/failure.ts";
import { Load } from "../../../src/http/load.ts";

const failureOf = (run: () => void) => {
  try {
    run();
  } catch (error) {
    if (error instanceof Failure) return { kind: error.kind, retryAfterSeconds: error.retryAfterSeconds };
    throw error;
  }
  return undefined;
};
const refused = { kind: "unavailable" as const, retryAfterSeconds: 1 };

test("requests that wait are bounded, and those whose body is on its way are not among them", () => {
  const load = new Load({ working: 2, arriving: 5, arrivedBytes: 100 });
  load.enter();
  load.enter();
  expect(load.isFull).toBe(true);
  const arrival = load.arrive();
  expect(load.isFull).toBe(false);
  arrival.leave();
  expect(load.isFull).toBe(true);
  load.leave();
  expect(load.isFull).toBe(false);
});

test("bodies on their way are bounded, by number", () => {
  const load = new Load({ working: 10, arriving: 2, arrivedBytes: 100 });
  const first = load.arrive();
  load.arrive();
  expect(failureOf(() => load.arrive())).toEqual(refused);
  first.leave();
  expect(failureOf(() => load.arrive())).toBeUndefined();
});

test("and by all their bytes, which are free again once a body is read or refused", () => {
  const load = new Load({ working: 10, arriving: 10, arrivedBytes: 100 });
  const [one, other] = [load.arrive(), load.arrive()];
  one.take(60);
  other.take(40);
  expect(failureOf(() => other.take(1))).toEqual(refused);
  other.leave();
  expect(failureOf(() => one.take(40))).toBeUndefined();
  one.leave();
  expect(failureOf(() => load.arrive().take(100))).toBeUndefined();
});
