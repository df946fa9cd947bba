import { expect, test } from "bun:test";
import { type Json, rootToken, startWorld } from "../../../../support/fixtures/world.ts";

const world = await startWorld();
const make = (username: string, name: string, attributes: object = {}) => world.user({ username, name, ...attributes });

const mara = await make("mara.quist", "Mara Quist", { email: "mara@quist.example" });
await make("quistian", "Tomas Mara Lind");
await make("li", "Li Wei");
await make("lisa", "Li");
await make("shown", "Somebody Else", {
  email: "contact@quist.example",
  public_email: "contact@quist.example",
  skip_confirmation: true,
});
await make("unconfirmed", "Another One", { email: "secret@quist.example" });
await make("jose", "José Ñandú 李小龙");
await make("exact", "zzz exact");
await make("aaa", "An exact match");
await make("regex.a_b-c", "100% (a+b)* [x]\\ 'q' \"d\"");
const banned = await make("banned.quist", "Banned Quist");
world.alter(banned.id, { state: "banned" });

async function found(search: string, token: string | undefined = rootToken, more: Record<string, string> = {}) {
  const { status, body } = await world.call("GET", "/users", { query: { search, ...more }, token });
  expect(status).toBe(200);
  return body.map((user: Json) => user.username);
}

for (const [search, expected] of [
  ["mara", ["mara.quist", "quistian"]],
  ["MARA", ["mara.quist", "quistian"]],
  ["@mara", ["mara.quist", "quistian"]],
  ["@mara.quist", ["mara.quist"]],
  ["@@mara", []],
  ["  mara ", ["mara.quist", "quistian"]],
  ["ara.qui", ["mara.quist"]],
  ["mara quist", ["mara.quist"]],
  ["quist   mara", ["mara.quist"]],
  ["lind mara", ["quistian"]],
  ["lind quist", []],
  ["li", ["li", "lisa"]],
  ["Li", ["li", "lisa"]],
  ["l", []],
  ["josé", ["jose"]],
  ["JOSÉ", ["jose"]],
  ["李小龙", ["jose"]],
  ["小龙", []],
  ["ñandú", ["jose"]],
  ["100%", ["regex.a_b-c"]],
  ["(a+b)*", ["regex.a_b-c"]],
  ["[x]\\", ["regex.a_b-c"]],
  ["a_b", ["regex.a_b-c"]],
  ["%%%", []],
  ["___", []],
  ["...", []],
  [".*.*", []],
  ["🦊🦊🦊", []],
  ["contact@quist.example", ["shown"]],
  ["CONTACT@quist.example", ["shown"]],
  ["contact@quist", []],
  ["@quist.example", []],
] as const) {
  test(`${JSON.stringify(search)} finds [${expected}] for all callers`, async () => {
    expect(await found(search)).toEqual([...expected]);
    expect(await found(search, mara.token)).toEqual([...expected]);
  });
}

test("only administrators find users by private addresses, and only by complete ones", async () => {
  expect(await found("secret@quist.example")).toEqual(["unconfirmed"]);
  expect(await found("SECRET@quist.example")).toEqual(["unconfirmed"]);
  expect(await found("secret@quist")).toEqual([]);
  expect(await found("secret@quist.example", mara.token)).toEqual([]);
});

test("a blank search is no filter", async () => {
  const all = (await world.get("/users")).headers.get("x-total");
  for (const search of ["", " ", "@", "%20@"]) {
    const { headers } = await world.get("/users", { query: `search=${search}` });
    expect(headers.get("x-total")).toBe(all);
  }
});

test("users that the caller cannot see are not found, and not counted", async () => {
  expect(await found("banned")).toEqual(["banned.quist"]);
  const { body, headers } = await world.call("GET", "/users?search=banned", { token: mara.token });
  expect([body, headers.get("x-total")]).toEqual([[], "0"]);
});

test("exact matches come first, then the order is by name", async () => {
  expect(await found("exact")).toEqual(["exact", "aaa"]);
  expect(await found("quist")).toEqual(["banned.quist", "mara.quist", "quistian"]);
});

test("a given order is kept", async () => {
  expect(await found("exact", rootToken, { order_by: "name", sort: "asc" })).toEqual(["aaa", "exact"]);
  expect(await found("exact", rootToken, { order_by: "id" })).toEqual(["aaa", "exact"]);
  expect(await found("mara", rootToken, { sort: "asc" })).toEqual(["mara.quist", "quistian"]);
  expect(await found("mara", rootToken, { sort: "desc" })).toEqual(["quistian", "mara.quist"]);
  expect(await found("mara", rootToken, { pagination: "keyset" })).toEqual(["quistian", "mara.quist"]);
});

test("search and other filters hold together, and pages cut through them", async () => {
  expect(await found("mara", rootToken, { external: "true" })).toEqual([]);
  expect(await found("mara", rootToken, { per_page: "1" })).toEqual(["mara.quist"]);
  expect(await found("mara", rootToken, { per_page: "1", page: "2" })).toEqual(["quistian"]);
  expect(await found("exact", rootToken, { per_page: "1", page: "2" })).toEqual(["aaa"]);
});

test("an anonymous caller may add filters to the username", async () => {
  const list = (query: object) => world.call("GET", "/users", { query: query as never });
  expect((await list({ username: "li", search: "quist" })).body).toEqual([]);
  expect((await list({ username: "li", search: "li" })).body).toHaveLength(1);
});

test("a search has at most 255 characters", async () => {
  expect(await found("x".repeat(255))).toEqual([]);
  expect(await found("mara ".repeat(51))).toEqual(["mara.quist", "quistian"]);
  const { status, body } = await world.get("/users", { query: { search: "x".repeat(256) } });
  expect([status, body.error]).toEqual([400, "search is too long (maximum is 255 characters)"]);
});
