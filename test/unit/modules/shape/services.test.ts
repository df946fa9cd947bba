import { expect, test } from "bun:test";
import { type Context, type ContextParts, createContext } from "../../../../src/modules/kernel/context.ts";
import { type ServiceKey, serviceKey } from "../../../../src/modules/kernel/service.ts";

const made: Context[] = [];
const Shelf = serviceKey("shelf", (context) => {
  made.push(context);
  return { books: [] as string[] };
});
const Room = serviceKey("room", (context) => ({ shelf: context.get(Shelf) }));
const contextWith = (...services: ServiceKey<unknown>[]) =>
  createContext(parts, { services: new Set(services), subscriptions: new Map(), registries: new Map() });
const parts = { edition: "community" } as unknown as ContextParts;

test("a service is made once for each context, at its first use", () => {
  const [one, other] = [contextWith(Shelf), contextWith(Shelf)];
  expect(made).toEqual([]);
  expect(one.get(Shelf)).toBe(one.get(Shelf));
  expect(one.get(Shelf)).not.toBe(other.get(Shelf));
  expect(made).toEqual([one, other]);
  expect(one.edition).toBe("community");
});

test("a service may use another one", () => {
  const context = contextWith(Shelf, Room);
  expect(context.get(Room).shelf).toBe(context.get(Shelf));
});

test("a service of no module in the list is refused", () => {
  const context = contextWith(Room);
  expect(() => context.get(Room)).toThrow("no module in the list has the service shelf");
});
