import { expect, test } from "bun:test";
import { bearerOf, passwordOf } from "../../../src/domain/authorization.ts";

test.each([
  ["Bearer abc", "abc"],
  ["bearer   abc  ", "abc"],
  ["BEARER a b", "a b"],
  ["Bearer", undefined],
  ["Bearer  ", undefined],
  ["Bearerabc", undefined],
  ["Basic abc", undefined],
  [null, undefined],
])("%p holds the key %p", (header, key) => {
  expect(bearerOf(header)).toBe(key);
});

test.each([
  [`Basic ${btoa("user:secret:word")}`, "secret:word"],
  [`basic ${btoa(":secret")} `, "secret"],
  [`Basic ${btoa("secret")}`, undefined],
  ["Bearer abc", undefined],
])("%p holds the password %p", (header, password) => {
  expect(passwordOf(header)).toBe(password);
});

// A pattern that looks for the end of the spaces from each of them would take hours.
test("a key with millions of spaces in it is read at once", () => {
  const key = `x${" ".repeat(4_000_000)}y`;
  expect(bearerOf(`Bearer ${key}`) === key).toBe(true);
});
