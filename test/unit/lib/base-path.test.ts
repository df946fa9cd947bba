import { expect, test } from "bun:test";
import { hostOf } from "../../../src/lib/base-path.ts";

test("each base URL has its own host, also between others", () => {
  const bases = ["http://one.example", "https://one.example:8443/outpost", "http://[::1]:3000", "http://one.example"];
  const found = bases.map((base) => ({ host: hostOf(base).host, hostname: hostOf(base).hostname }));
  expect(found).toEqual([
    { host: "one.example", hostname: "one.example" },
    { host: "one.example:8443", hostname: "one.example" },
    { host: "[::1]:3000", hostname: "[::1]" },
    { host: "one.example", hostname: "one.example" },
  ]);
});
