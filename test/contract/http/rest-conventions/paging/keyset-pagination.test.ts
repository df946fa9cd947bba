import { expect, test } from "bun:test";
import { insertCrowd } from "../../../../support/fixtures/crowd.ts";
import { linksOf } from "../../../../support/fixtures/links.ts";
import { type Json, rootToken, startWorld } from "../../../../support/fixtures/world.ts";

const world = await startWorld();
insertCrowd(world, 30);
const person = await world.user({ name: "crowd 3" });

/** Follows `Link` until it is gone; `between` runs after every page. */
async function walk(query: string, token = rootToken, between: () => unknown = () => {}): Promise<Json[][]> {
  const pages: Json[][] = [];
  let next: string | undefined = `${world.origin}/api/v4/users?pagination=keyset&${query}`;
  while (next !== undefined) {
    const { pathname, search } = new URL(next);
    const { status, body, headers } = await world.call("GET", pathname, { query: search.slice(1), token });
    expect(status).toBe(200);
    expect([...headers.keys()].filter((name) => /^x-(page|per|next|prev|total)|^links$/.test(name))).toEqual([]);
    pages.push(body);
    next = linksOf(headers).get("next");
    await between();
  }
  return pages;
}

/** The expected list, computed without the index. */
async function expected(orderBy: string, sort: string): Promise<number[]> {
  const { body } = await world.get("/users?per_page=100");
  const key = (user: Json) => (orderBy === "id" ? user.id : (user[orderBy] ?? "").toLowerCase());
  const sign = sort === "asc" ? 1 : -1;
  return body
    .toSorted((a: Json, b: Json) => sign * (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a.id - b.id))
    .map((user: Json) => user.id);
}

for (const orderBy of ["id", "name", "username", "created_at"]) {
  for (const sort of ["asc", "desc"]) {
    test(`a walk by ${orderBy} ${sort} has every user once, in order`, async () => {
      const pages = await walk(`order_by=${orderBy}&sort=${sort}&per_page=5`);
      expect(pages.flat().map((user) => user.id)).toEqual(await expected(orderBy, sort));
      expect(pages.slice(0, -1).every((page) => page.length === 5)).toBe(true);
    });
  }
}

test("updated_at is supported, both ways", async () => {
  const ids = async (sort: string) =>
    (await walk(`order_by=updated_at&sort=${sort}&per_page=9`)).flat().map((user) => user.id);
  expect((await ids("asc")).toReversed()).toEqual(await ids("desc"));
});

test("the default order is by descending id", async () => {
  const ids = (await walk("per_page=10")).flat().map((user) => user.id);
  expect(ids).toEqual(await expected("id", "desc"));
});

test("the last page has no Link, even when it is full", async () => {
  const total = (await world.get("/users")).headers.get("x-total");
  expect(await walk(`per_page=${total}`)).toHaveLength(1);
});

test("an empty list has no Link", async () => {
  const { body, headers } = await world.get("/users?pagination=keyset&username=nobody");
  expect([body, headers.get("link")]).toEqual([[], null]);
});

test("the link keeps every parameter and is safe to split at commas", async () => {
  const { headers } = await world.get("/users", {
    query: "pagination=keyset&per_page=2&order_by=name&sort=asc&active=true&note=a,b&x[]=1&x[]=2",
  });
  const next = linksOf(headers).get("next") as string;
  expect(next).not.toContain(",");
  const { searchParams } = new URL(next);
  expect(searchParams.get("cursor")).toMatch(/^[\w-]+$/);
  expect(searchParams.getAll("x[]")).toEqual(["1", "2"]);
  for (const [name, value] of [
    ["pagination", "keyset"],
    ["per_page", "2"],
    ["order_by", "name"],
    ["sort", "asc"],
    ["active", "true"],
    ["note", "a,b"],
  ] as const) {
    expect(searchParams.getAll(name)).toEqual([value]);
  }
});

test("following the link replaces the cursor", async () => {
  const first = linksOf((await world.get("/users?pagination=keyset&per_page=2")).headers).get("next") as string;
  const second = await world.get("/users", { query: new URL(first).search.slice(1) });
  const next = new URL(linksOf(second.headers).get("next") as string);
  expect(next.searchParams.getAll("cursor")).toHaveLength(1);
  expect(next.href).not.toBe(first);
});

test("all callers use it as far as they may list, anonymous ones too", async () => {
  const ids = (await walk("per_page=10", person.token)).flat().map((user) => user.id);
  expect(ids).toEqual(await expected("id", "desc"));
  const { status, body } = await world.call("GET", "/users?pagination=keyset&username=ROOT");
  expect([status, body.length]).toEqual([200, 1]);
  expect((await world.call("GET", "/users?pagination=keyset")).status).toBe(403);
});

for (const [orderBy, sort] of [
  ["id", "desc"],
  ["id", "asc"],
  ["name", "asc"],
  ["username", "desc"],
] as const) {
  test(`creations and changes during a walk by ${orderBy} ${sort} repeat or hide no user`, async () => {
    const before: number[] = (await world.get("/users?per_page=100")).body.map((user: Json) => user.id);
    let count = 0;
    const pages = await walk(`order_by=${orderBy}&sort=${sort}&per_page=7`, rootToken, () => {
      count += 1;
      if (count <= 8) insertCrowd(world, 2, { name: count % 2 === 0 ? "aaa" : "zzz" });
    });
    const ids = pages.flat().map((user) => user.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(before));
  });
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

for (const cursor of [
  "x",
  "%F0%9F%A6%8A",
  "....",
  "e30",
  "W10",
  encode(["id", "desc", "abc", 1]),
  encode(["id", "desc", 5, 6]),
  encode(["id", "desc", 1.5, 1.5]),
  encode(["id", "desc", null, 1]),
  encode(["id", "desc", {}, []]),
  encode(["id", "asc", 5, 5]),
  encode(["name", "desc", "a", 1]),
  encode({ id: 1 }),
  "A".repeat(5_000),
]) {
  test(`the cursor ${cursor.slice(0, 40)} is refused`, async () => {
    const { status, body } = await world.get(`/users?pagination=keyset&cursor=${cursor}`);
    expect([status, body.error]).toEqual([400, "cursor is invalid"]);
  });
}

test("a cursor for names with another value in it is refused", async () => {
  for (const key of [7, null, [], {}, true]) {
    const query = `pagination=keyset&order_by=name&cursor=${encode(["name", "desc", key, 1])}`;
    expect((await world.get("/users", { query })).status).toBe(400);
  }
});

test("a cursor behind the last entry gives an empty page", async () => {
  const { body, headers } = await world.get(`/users?pagination=keyset&cursor=${encode(["id", "desc", -9, -9])}`);
  expect([body, headers.get("link")]).toEqual([[], null]);
});

test("an empty cursor gives the first page; without keyset it is ignored", async () => {
  const first = (await world.get("/users?pagination=keyset&per_page=3")).text;
  expect((await world.get("/users?pagination=keyset&per_page=3&cursor=")).text).toBe(first);
  const { status, headers } = await world.get("/users?cursor=x&pagination=offset");
  expect([status, headers.get("x-page")]).toEqual([200, "1"]);
});

test("a list without keyset ignores the parameter", async () => {
  const { status, headers } = await world.get("/personal_access_tokens?pagination=keyset&per_page=1");
  expect([status, headers.get("x-page")]).toEqual([200, "1"]);
});

test("keyset goes deeper than offsets do, and per_page is at most 100", async () => {
  const { status, body } = await world.get("/users?pagination=keyset&page=9999&per_page=1000");
  expect(status).toBe(200);
  expect(body.length).toBeLessThanOrEqual(100);
});
