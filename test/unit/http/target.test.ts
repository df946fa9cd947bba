import { expect, test } from "bun:test";
import fc from "fast-check";
import { cleanTarget, stripBasePath } from "../../../src/http/entry/target.ts";
import { basePathOf } from "../../../src/lib/base-path.ts";
import { failureOf } from "./failures.ts";

const origin = "http://gl:8080";

test("an ordinary URL is cut into path and query", () => {
  expect(cleanTarget(`${origin}/api/v4/users?page=2&a=b`)).toEqual({ path: "/api/v4/users", search: "page=2&a=b" });
  expect(cleanTarget("http://gl/api/v4/version")).toEqual({ path: "/api/v4/version", search: "" });
});

test("runs of slashes count as one, also right after the origin, and a trailing slash is dropped", () => {
  expect(cleanTarget(`${origin}//api///v4/features//name/`).path).toBe("/api/v4/features/name");
  expect(cleanTarget(`${origin}/features//?x=//`)).toEqual({ path: "/features", search: "x=//" });
  expect(cleanTarget(`${origin}/`).path).toBe("/");
  expect(cleanTarget(`${origin}///`).path).toBe("/");
});

test("encoded slashes stay encoded", () => {
  expect(cleanTarget(`${origin}/projects/a%2Fb%2fc`).path).toBe("/projects/a%2Fb%2fc");
  expect(cleanTarget(`${origin}/projects/a%252Fb`).path).toBe("/projects/a%252Fb");
});

test("a bare question mark is an empty query, one inside the query belongs to it, and a fragment is dropped", () => {
  expect(cleanTarget(`${origin}/groups/a%2Fb/members?`)).toEqual({ path: "/groups/a%2Fb/members", search: "" });
  expect(cleanTarget(`${origin}/a?b=?c`).search).toBe("b=?c");
  expect(cleanTarget(`${origin}/a?b=c#d?e`)).toEqual({ path: "/a", search: "b=c" });
  expect(cleanTarget(`${origin}/a#d?e`)).toEqual({ path: "/a", search: "" });
});

for (const [what, path] of [
  ["an invalid escape", "/users/%zz"],
  ["half an escape", "/users/a%2"],
  ["an escape at the end", "/users/a%"],
  ["bytes that are not UTF-8", "/users/%FF"],
  ["half a character", "/users/%C3"],
  ["an encoded surrogate", "/users/%ED%A0%80"],
  ["a NUL", "/users/a%00b"],
  ["what Bun puts in the place of raw bad bytes", "/users/%EF%BF%BD"],
]) {
  test(`a path with ${what} is a bad request`, () => {
    const { kind, body } = failureOf(() => cleanTarget(origin + path));
    expect([kind, body]).toEqual(["parameters", { error: "Bad Request" }]);
  });
}

test("escapes of text in any language pass", () => {
  expect(cleanTarget(`${origin}/labels/%C3%A9%20%F0%9F%98%80%3F%40`).path).toBe("/labels/%C3%A9%20%F0%9F%98%80%3F%40");
});

test("a target of 8192 bytes passes and one byte more is too long", () => {
  const longest = `/${"a".repeat(8185)}?x=${"b".repeat(3)}`;
  expect(longest.length).toBe(8192);
  expect(cleanTarget(origin + longest).search).toBe("x=bbb");
  const { kind, body } = failureOf(() => cleanTarget(`${origin}${longest}b`));
  expect([kind, body]).toEqual(["too_long", { message: "414 Request-URI Too Large" }]);
});

test("a cleaned path cleans to itself and keeps its segments", () => {
  const segments = fc.array(fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => !/[\0\uFFFD]/.test(text)));
  fc.assert(
    fc.property(segments, fc.integer({ min: 1, max: 3 }), (names, slashes) => {
      const encoded = names.filter((name) => name.isWellFormed()).map(encodeURIComponent);
      const gap = "/".repeat(slashes);
      const { path } = cleanTarget(`${origin}${gap}${encoded.join(gap)}${gap}`);
      expect(path).toBe(`/${encoded.join("/")}`);
      expect(cleanTarget(origin + path).path).toBe(path);
    }),
  );
});

for (const [base, path, expected] of [
  ["https://h.example/api", "/api/v4/version", "/api/v4/version"],
  ["https://h.example/api", "/api/api/v4/version", "/api/v4/version"],
  ["https://h.example/api", "/api/v2/a/tags/list", "/v2/a/tags/list"],
  ["https://h.example/api/v4", "/api/v4/version", "/api/v4/version"],
  ["https://h.example/api/v4", "/api/v4/api/v4/version", "/api/v4/version"],
  ["https://h.example/api/v4", "/api/v4/-/health", "/-/health"],
  ["https://h.example/-", "/-/health", "/-/health"],
  ["https://h.example//tools//outpost/", "/tools/outpost/-/health", "/-/health"],
  ["https://h.example/outpost", "/outposts/-/health", "/outposts/-/health"],
] as const) {
  test(`below ${base}, ${path} is ${expected}`, () => {
    expect(stripBasePath({ path, search: "a=b" }, basePathOf(base))).toEqual({ path: expected, search: "a=b" });
  });
}
