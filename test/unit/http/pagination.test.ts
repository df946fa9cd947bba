import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import fc from "fast-check";
import { boolean, optional, text } from "../../../src/domain/parameters.ts";
import { readQuery } from "../../../src/http/body/query.ts";
import { compileParameters } from "../../../src/http/params/params.ts";
import { decodeCursor, encodeCursor } from "../../../src/http/responses/cursor.ts";
import {
  type PagedAnswer,
  type Paging,
  readPaging,
  withPageParameters,
} from "../../../src/http/responses/pagination.ts";
import { failureOf } from "./failures.ts";

const filters = Type.Object({ active: optional(boolean()), order_by: optional(text()), sort: optional(text()) });
const both = ["asc", "desc"] as const;
const users: PagedAnswer = {
  keyset: {
    orders: [
      { orderBy: "id", sort: both },
      { orderBy: "name", sort: both },
    ],
    defaults: { orderBy: "id", sort: "desc" },
  },
  deepestOffsetOf: "User",
};
const projects: PagedAnswer = {
  keyset: {
    orders: [{ orderBy: "id", sort: both }],
    defaults: { orderBy: "created_at", sort: "desc" },
    continuation: "id",
  },
};

function paging(search: string, answer: PagedAnswer = {}, offsetMax?: number): Paging {
  return readPaging(answer, compileParameters(withPageParameters(filters, answer))(readQuery(search), {}), offsetMax);
}

for (const [search, page, perPage] of [
  ["", 1, 20],
  ["page=3&per_page=50", 3, 50],
  ["per_page=100", 1, 100],
  ["per_page=101", 1, 100],
  ["per_page=1000", 1, 100],
  ["per_page=-1", 1, 20],
  ["page=0", 1, 20],
  ["page=-1", 1, 20],
  ["page=&per_page=", 1, 20],
  ["page=1000000", 1_000_000, 20],
  [`page=${"9".repeat(30)}&per_page=${"9".repeat(30)}`, Number.MAX_SAFE_INTEGER, 100],
] as const) {
  test(`?${search} asks for page ${page} of ${perPage}`, () => {
    expect(paging(search)).toEqual({ request: { kind: "offset", page, perPage } });
  });
}

for (const [search, error] of [
  ["per_page=0", "per_page has a value not allowed"],
  ["page=abc", "page is invalid"],
  ["per_page=abc", "per_page is invalid"],
  ["page=1.5", "page is invalid"],
  ["per_page[]=5", "per_page is invalid"],
] as const) {
  test(`?${search} is refused: ${error}`, () => {
    expect(failureOf(() => paging(search)).body.error).toBe(error);
  });
}

test("errors of paging come after those of the filters, in one answer", () => {
  const { body } = failureOf(() => paging("per_page=0&page=x&active=maybe"));
  expect(body.error).toBe("active is invalid, page is invalid, per_page has a value not allowed");
});

test("a declaration of the operation's own overrides the general one", () => {
  const declared = Type.Object({ page: text() });
  expect(withPageParameters(declared, {}).properties.page).toBe(declared.properties.page);
});

const tooDeep =
  "Offset pagination has a maximum allowed offset of 50000 for requests that return objects of type User. " +
  "Remaining records can be retrieved using keyset pagination.";
for (const search of ["page=501&per_page=100", "page=2501", "page=500&per_page=101", `page=${"9".repeat(30)}`]) {
  test(`?${search} is deeper than the deepest offset`, () => {
    const { kind, body } = failureOf(() => paging(search, users));
    expect([kind, body]).toEqual(["not_allowed", { error: tooDeep }]);
  });
}

test("the deepest offset itself is served", () => {
  expect(paging("page=500&per_page=100", users).request).toEqual({ kind: "offset", page: 500, perPage: 100 });
  expect(paging("page=2500&per_page=-5", users).request).toEqual({ kind: "offset", page: 2500, perPage: 20 });
});

test("the deepest offset is a setting, 0 turns it off, and other lists have none", () => {
  expect(failureOf(() => paging("page=6&per_page=10", users, 50)).body.error).toContain("offset of 50 for");
  expect(paging("page=9999", users, 0).request).toMatchObject({ page: 9999 });
  expect(paging("page=9999", {}).request).toMatchObject({ page: 9999 });
});

test("keyset is used only where the list has it", () => {
  expect(paging("pagination=keyset").request.kind).toBe("offset");
  expect(paging("pagination=keyset", users).request.kind).toBe("keyset");
  expect(paging("pagination=legacy", users).request.kind).toBe("offset");
  expect(paging("cursor=abc", users).request.kind).toBe("offset");
});

test("the list's default order fills what a keyset request leaves out", () => {
  expect(paging("pagination=keyset&per_page=7", users)).toEqual({
    request: { kind: "keyset", after: undefined, perPage: 7 },
    keyset: { order: { orderBy: "id", sort: "desc" }, continuation: "cursor" },
  });
  expect(paging("pagination=keyset&order_by=name", users).keyset?.order).toEqual({ orderBy: "name", sort: "desc" });
});

for (const [search, answer] of [
  ["pagination=keyset&order_by=email", users],
  ["pagination=keyset&sort=up", users],
  ["pagination=keyset", projects],
  ["pagination=keyset&order_by=name&sort=asc", projects],
] as const) {
  test(`?${search} is not available`, () => {
    const { kind, body } = failureOf(() => paging(search, answer));
    expect(kind).toBe("not_allowed");
    expect(body).toEqual({ error: "Keyset pagination is not yet available for this type of request" });
  });
}

test("keyset has no deepest page", () => {
  expect(paging("pagination=keyset&page=9999", users).request.kind).toBe("keyset");
});

const byName = { orderBy: "name", sort: "asc" } as const;
const byId = { orderBy: "id", sort: "asc" } as const;

test("a cursor leads to its position", () => {
  const cursor = encodeCursor(byName, { key: "Zoë, the 2nd", id: 17 });
  const { request } = paging(`pagination=keyset&order_by=name&sort=asc&cursor=${cursor}`, users);
  expect(request).toEqual({ kind: "keyset", after: { key: "Zoë, the 2nd", id: 17 }, perPage: 20 });
});

test("an empty cursor is the first page", () => {
  expect(paging("pagination=keyset&cursor=", users).request).toMatchObject({ after: undefined });
});

const forge = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
for (const [what, cursor] of [
  ["of another order", encodeCursor(byName, { key: "a", id: 1 })],
  ["of another direction", encodeCursor({ orderBy: "id", sort: "asc" }, { key: 1, id: 1 })],
  ["that is no base64", "%21%2A"],
  ["that holds no JSON", "abc"],
  ["that holds no array", forge({ id: 1 })],
  ["without an id", forge(["id", "desc", 5])],
  ["with an id that is no integer", forge(["id", "desc", 5, 1.5])],
  ["with a key that is no key", forge(["id", "desc", null, 5])],
  ["with a text for an id", forge(["id", "desc", "5", 5])],
  ["with two ids", forge(["id", "desc", 5, 6])],
  ["that is endless", forge(["id", "desc", "a".repeat(5000), 5])],
] as const) {
  test(`a cursor ${what} is invalid`, () => {
    const { kind, body } = failureOf(() => paging(`pagination=keyset&cursor=${cursor}`, users));
    expect([kind, body]).toEqual(["parameters", { error: "cursor is invalid" }]);
  });
}

test("every cursor is URL-safe and reads back, for its own order only", () => {
  const key = fc.string({ unit: "grapheme", maxLength: 255 });
  fc.assert(
    fc.property(key, fc.maxSafeInteger(), (value, id) => {
      fc.pre(value.isWellFormed());
      for (const [order, position] of [
        [byName, { key: value, id }],
        [byId, { key: id, id }],
      ] as const) {
        const cursor = encodeCursor(order, position);
        expect(cursor).toMatch(/^[\w-]+$/);
        expect(decodeCursor(order, cursor)).toEqual(position);
        expect(decodeCursor({ ...order, sort: "desc" }, cursor)).toBeUndefined();
      }
    }),
  );
});

test("no text makes the decoder throw", () => {
  fc.assert(fc.property(fc.string(), (cursor) => void decodeCursor(byName, cursor)));
  fc.assert(fc.property(fc.jsonValue(), (value) => void decodeCursor(byName, forge(value))));
});
