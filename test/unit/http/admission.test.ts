import { expect, test } from "bun:test";
import { Failure } from "../../../src/domain/failure.ts";
import { Load } from "../../../src/http/limits/admission.ts";
import { known, stranger } from "./senders.ts";

const failureOf = (run: () => void) => {
  try {
    run();
  } catch (error) {
    if (error instanceof Failure) return { kind: error.kind, retryAfterSeconds: error.retryAfterSeconds };
    throw error;
  }
  return undefined;
};
const limits = { working: 10, arriving: 8, arrivedBytes: 100, share: 1, strangersOfAddress: 8 };
const refused = { kind: "unavailable" as const, retryAfterSeconds: 1 };

test("requests that wait are bounded, and those whose body is on its way are not among them", () => {
  const load = new Load({ ...limits, working: 2 });
  load.enter();
  load.enter();
  expect(load.isFull).toBe(true);
  const arrival = load.arrive(known);
  expect(load.isFull).toBe(false);
  arrival.leave();
  expect(load.isFull).toBe(true);
  load.leave();
  expect(load.isFull).toBe(false);
});

test("bodies on their way are bounded, by number", () => {
  const load = new Load({ ...limits, arriving: 2 });
  const first = load.arrive(known);
  load.arrive(known);
  expect(failureOf(() => load.arrive(known))).toEqual(refused);
  first.leave();
  expect(failureOf(() => load.arrive(known))).toBeUndefined();
});

test("and by all their bytes, which are free again once a body is read or refused", () => {
  const load = new Load(limits);
  const [one, other] = [load.arrive(known), load.arrive(known)];
  one.take(60);
  other.take(40);
  expect(failureOf(() => other.take(1))).toEqual(refused);
  other.leave();
  expect(failureOf(() => one.take(40))).toBeUndefined();
  one.leave();
  expect(failureOf(() => load.arrive(known).take(100))).toBeUndefined();
});

test("strangers have a quarter of the places, whatever their address, and leave the others to who is known", () => {
  const load = new Load({ ...limits, share: 1 / 4 });
  const from = (address: string | undefined) => () => load.arrive({ address, isStranger: true });
  const first = from("192.0.2.1")();
  from(undefined)();
  for (const address of ["192.0.2.1", "192.0.2.2", undefined]) expect(failureOf(from(address))).toEqual(refused);
  for (const address of ["a", "b", "c", "d", "e", "f"]) load.arrive({ address, isStranger: false });
  first.leave();
  expect(failureOf(from("192.0.2.2"))).toBeUndefined();
  expect(failureOf(() => load.arrive({ address: "g", isStranger: false }))).toEqual(refused);
});

test("and a quarter of the bytes", () => {
  const load = new Load({ ...limits, share: 1 / 4 });
  const one = load.arrive(stranger);
  one.take(25);
  expect(failureOf(() => load.arrive({ ...stranger, address: "192.0.2.2" }).take(1))).toEqual(refused);
  expect(failureOf(() => load.arrive(known).take(70))).toBeUndefined();
});

test("one address has so many of the strangers' places, and of the others a quarter", () => {
  const load = new Load({ ...limits, arriving: 16, share: 1 / 4, strangersOfAddress: 2 });
  const ofStrangers = [load.arrive(stranger), load.arrive(stranger)];
  expect(failureOf(() => load.arrive(stranger))).toEqual(refused);
  expect(failureOf(() => load.arrive({ ...stranger, address: "192.0.2.2" }))).toBeUndefined();
  for (let count = 0; count < 4; count += 1) load.arrive(known);
  expect(failureOf(() => load.arrive(known))).toEqual(refused);
  expect(failureOf(() => load.arrive({ ...known, address: "192.0.2.2" }))).toBeUndefined();
  for (const arrival of ofStrangers) arrival.leave();
  expect(failureOf(() => load.arrive(stranger))).toBeUndefined();
});
