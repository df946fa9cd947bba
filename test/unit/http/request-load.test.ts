import { expect, test } from "bun:test";
import { Failure } from "../../../src/domain/failure.ts";
import { Load, type TransferLimits } from "../../../src/modules/kernel/request-load.ts";
import { known, stranger } from "./body/senders.ts";

const failureOf = (run: () => void) => {
  try {
    run();
  } catch (error) {
    if (error instanceof Failure) return { kind: error.kind, retryAfterSeconds: error.retryAfterSeconds };
    throw error;
  }
  return undefined;
};
const share = { count: 8, bytes: 100 };
const transfers: TransferLimits = {
  all: share,
  strangers: share,
  strangersOfAddress: share,
  address: share,
  user: share,
};
const limits = { working: 10, workingOfUser: 5, requests: transfers, answers: transfers };
const loadOf = (requests: Partial<TransferLimits>) => new Load({ ...limits, requests: { ...transfers, ...requests } });
const refused = { kind: "unavailable" as const, retryAfterSeconds: 1 };

test("requests that wait are bounded, and those whose body is on its way are not among them", () => {
  const load = new Load({ ...limits, working: 2 });
  load.enter();
  load.enter();
  expect(load.isFull).toBe(true);
  const arrival = load.requests.begin(known);
  expect(load.isFull).toBe(false);
  arrival.end();
  expect(load.isFull).toBe(true);
  load.leave();
  expect(load.isFull).toBe(false);
});

test("waiting requests of one user are bounded, and those of others have room", () => {
  const load = new Load({ ...limits, workingOfUser: 2 });
  const [leave] = [load.wait(1), load.wait(1)];
  expect(failureOf(() => load.requireRoomFor(1))).toEqual(refused);
  expect(failureOf(() => load.requireRoomFor(2))).toBeUndefined();
  expect(failureOf(() => load.requireRoomFor(undefined))).toBeUndefined();
  leave?.();
  expect(failureOf(() => load.requireRoomFor(1))).toBeUndefined();
});

test("bodies on their way are bounded, by number", () => {
  const load = loadOf({ all: { count: 2, bytes: 100 } });
  const first = load.requests.begin(known);
  load.requests.begin(known);
  expect(failureOf(() => load.requests.begin(known))).toEqual(refused);
  first.end();
  expect(failureOf(() => load.requests.begin(known))).toBeUndefined();
});

test("and by all their bytes, which are free again once a body is read or refused", () => {
  const load = new Load(limits);
  const [one, other] = [load.requests.begin(known), load.requests.begin(known)];
  one.add(60);
  other.add(40);
  expect(failureOf(() => other.add(1))).toEqual(refused);
  other.end();
  expect(failureOf(() => one.add(40))).toBeUndefined();
  one.end();
  expect(failureOf(() => load.requests.begin(known).add(100))).toBeUndefined();
});

test("a body that has come leaves its place, and its bytes count until its end", () => {
  const load = loadOf({ all: { count: 1, bytes: 100 } });
  const arrival = load.requests.begin(known);
  arrival.add(60);
  arrival.arrived();
  expect(load.requests.count).toBe(0);
  const next = load.requests.begin(known);
  expect(failureOf(() => next.add(41))).toEqual(refused);
  next.end();
  arrival.end();
  expect(load.requests.count).toBe(0);
  expect(failureOf(() => load.requests.begin(known).add(100))).toBeUndefined();
});

test("one address keeps its bytes, when no body of it is on its way", () => {
  const load = loadOf({ address: { count: 8, bytes: 40 } });
  const first = load.requests.begin(known);
  first.add(30);
  first.arrived();
  load.requests.begin(known).end();
  expect(failureOf(() => load.requests.begin(known).add(11))).toEqual(refused);
});

test("strangers have a part of the places, whatever their address, and leave the others to those who are known", () => {
  const load = loadOf({ strangers: { count: 2, bytes: 25 } });
  const from = (address: string | undefined) => () => load.requests.begin({ address, isStranger: true });
  const first = from("192.0.2.1")();
  from(undefined)();
  for (const address of ["192.0.2.1", "192.0.2.2", undefined]) expect(failureOf(from(address))).toEqual(refused);
  for (const address of ["a", "b", "c", "d", "e", "f"]) load.requests.begin({ address, isStranger: false });
  first.end();
  expect(failureOf(from("192.0.2.2"))).toBeUndefined();
  expect(failureOf(() => load.requests.begin({ address: "g", isStranger: false }))).toEqual(refused);
});

test("strangers have a part of the bytes", () => {
  const load = loadOf({ strangers: { count: 2, bytes: 25 } });
  const one = load.requests.begin(stranger);
  one.add(25);
  expect(failureOf(() => load.requests.begin({ ...stranger, address: "192.0.2.2" }).add(1))).toEqual(refused);
  expect(failureOf(() => load.requests.begin(known).add(70))).toBeUndefined();
});

test("one address has so many places of strangers, and so many of those who are known", () => {
  const load = loadOf({ strangersOfAddress: { count: 2, bytes: 100 }, address: { count: 4, bytes: 100 } });
  const ofStrangers = [load.requests.begin(stranger), load.requests.begin(stranger)];
  expect(failureOf(() => load.requests.begin(stranger))).toEqual(refused);
  expect(failureOf(() => load.requests.begin({ ...stranger, address: "192.0.2.2" }))).toBeUndefined();
  for (let count = 0; count < 4; count += 1) load.requests.begin(known);
  expect(failureOf(() => load.requests.begin(known))).toEqual(refused);
  expect(failureOf(() => load.requests.begin({ ...known, address: "192.0.2.2" }))).toBeUndefined();
  for (const arrival of ofStrangers) arrival.end();
  expect(failureOf(() => load.requests.begin(stranger))).toBeUndefined();
});

test("one address has so many bytes", () => {
  const load = loadOf({ address: { count: 8, bytes: 40 } });
  load.requests.begin(known).add(30);
  expect(failureOf(() => load.requests.begin(known).add(11))).toEqual(refused);
  expect(failureOf(() => load.requests.begin({ ...known, address: "192.0.2.2" }).add(40))).toBeUndefined();
});

test("one user has so many bytes and places, at all addresses together", () => {
  const load = loadOf({ user: { count: 2, bytes: 40 } });
  const at = (address: string, userId: number) => load.requests.begin({ address, userId, isStranger: false });
  const first = at("192.0.2.1", 1);
  first.add(30);
  const second = at("192.0.2.2", 1);
  expect(failureOf(() => second.add(11))).toEqual(refused);
  expect(failureOf(() => at("192.0.2.3", 1))).toEqual(refused);
  expect(failureOf(() => at("192.0.2.3", 2).add(40))).toBeUndefined();
  first.end();
  expect(failureOf(() => second.add(1))).toBeUndefined();
});

test("a body is not too large while no other is on its way", () => {
  const load = loadOf({ all: { count: 8, bytes: 1_000 }, strangersOfAddress: { count: 8, bytes: 40 } });
  const large = load.requests.begin(stranger);
  expect(failureOf(() => large.add(60))).toBeUndefined();
  expect(failureOf(() => load.requests.begin(stranger).add(1))).toEqual(refused);
  expect(failureOf(() => load.requests.begin({ ...stranger, address: "192.0.2.2" }).add(1))).toBeUndefined();
});

test("a body that may not be refused counts all the same", () => {
  const load = loadOf({ all: { count: 1, bytes: 10 } });
  load.requests.begin(known);
  const other = load.requests.begin(known, false);
  other.add(20);
  expect(load.requests.count).toBe(2);
  other.end();
  expect(load.requests.count).toBe(1);
});
