import { expect, test } from "bun:test";
import { BoundedCache } from "../../../src/lib/bounded-cache.ts";

test("a cache never holds more bytes than it may, and drops the oldest values", () => {
  const cache = new BoundedCache<string>({ bytesMax: 10_000, valueBytesMax: 2_000, bytesOf: ({ length }) => length });
  for (let at = 0; at < 20; at += 1) {
    cache.set(`key ${at}`, "x".repeat(1_000));
    expect(cache.bytes).toBeLessThanOrEqual(10_000);
  }
  expect([cache.get("key 0"), cache.get("key 19")?.length]).toEqual([undefined, 1_000]);
  cache.set("large", "x".repeat(2_000));
  expect(cache.get("large")).toBeUndefined();
});

test("a value that is set again counts once", () => {
  const cache = new BoundedCache<string>({ bytesMax: 10_000, valueBytesMax: 2_000, bytesOf: ({ length }) => length });
  cache.set("key", "x".repeat(100));
  const { bytes } = cache;
  cache.set("key", "x".repeat(100));
  expect(cache.bytes).toBe(bytes);
});
