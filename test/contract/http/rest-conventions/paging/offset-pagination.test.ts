import { expect, test } from "bun:test";
import { insertCrowd } from "../../../../support/fixtures/crowd.ts";
import { linksOf } from "../../../../support/fixtures/links.ts";
import { rootToken, startWorld } from "../../../../support/fixtures/world.ts";

const world = await startWorld();
// With root 45 users: three pages of 20, the last one of 5.
for (let count = 1; count < 45; count += 1) await world.user();

const list = (query: string) => world.get("/users", { query });
const paging = (headers: Headers) =>
  ["x-page", "x-per-page", "x-next-page", "x-prev-page", "x-total", "x-total-pages"].map((name) => headers.get(name));

for (const [query, expected, items] of [
  ["", ["1", "20", "2", "", "45", "3"], 20],
  ["page=2", ["2", "20", "3", "1", "45", "3"], 20],
  ["page=3", ["3", "20", "", "2", "45", "3"], 5],
  ["page=4", ["4", "20", "", "3", "45", "3"], 0],
  ["page=500", ["500", "20", "", "499", "45", "3"], 0],
  ["per_page=45", ["1", "45", "", "", "45", "1"], 45],
  ["per_page=44", ["1", "44", "2", "", "45", "2"], 44],
  ["per_page=100", ["1", "100", "", "", "45", "1"], 45],
  ["per_page=101", ["1", "100", "", "", "45", "1"], 45],
  ["per_page=1000", ["1", "100", "", "", "45", "1"], 45],
  ["per_page=-1", ["1", "20", "2", "", "45", "3"], 20],
  ["page=0", ["1", "20", "2", "", "45", "3"], 20],
  ["page=-1", ["1", "20", "2", "", "45", "3"], 20],
  ["page=&per_page=", ["1", "20", "2", "", "45", "3"], 20],
  ["page=%2B2&per_page=07", ["2", "7", "3", "1", "45", "7"], 7],
  ["username=root", ["1", "20", "", "", "1", "1"], 1],
  ["username=nobody", ["1", "20", "", "", "0", "1"], 0],
  ["username=nobody&page=3", ["3", "20", "", "2", "0", "1"], 0],
  ["search=person&per_page=40", ["1", "40", "2", "", "44", "2"], 40],
  ["search=person&per_page=40&page=2", ["2", "40", "", "1", "44", "2"], 4],
] as const) {
  test(`?${query} has the headers ${expected.join(" ")}`, async () => {
    const { status, headers, body } = await list(query);
    expect(status).toBe(200);
    expect(paging(headers)).toEqual([...expected]);
    expect(body).toHaveLength(items);
  });
}

for (const [query, error] of [
  ["per_page=0", "per_page has a value not allowed"],
  ["page=abc", "page is invalid"],
  ["per_page=abc", "per_page is invalid"],
  ["page=1.5", "page is invalid"],
  ["page=abc&per_page=x", "page is invalid, per_page is invalid"],
  ["page[]=1", "page is invalid"],
] as const) {
  test(`?${query} is refused: ${error}`, async () => {
    const { status, body } = await list(query);
    expect([status, body.error]).toEqual([400, error]);
  });
}

test("Link has prev, next, first and last in this order, for pages that exist", async () => {
  const url = (page: number) => `${world.origin}/api/v4/users?page=${page}&per_page=20`;
  expect((await list("page=2")).headers.get("link")).toBe(
    [`<${url(1)}>; rel="prev"`, `<${url(3)}>; rel="next"`, `<${url(1)}>; rel="first"`, `<${url(3)}>; rel="last"`].join(
      ", ",
    ),
  );
  expect([...linksOf((await list("")).headers).keys()]).toEqual(["next", "first", "last"]);
  expect([...linksOf((await list("page=3")).headers).keys()]).toEqual(["prev", "first", "last"]);
  expect([...linksOf((await list("page=9")).headers).keys()]).toEqual(["prev", "first", "last"]);
  expect([...linksOf((await list("username=nobody")).headers).keys()]).toEqual(["first", "last"]);
});

test("links keep every parameter as sent, credentials too, and escape reserved characters", async () => {
  const query = `search=person&x[]=1&x%5B%5D=2&note=a,b+c%20d'()!*&private_token=${rootToken}&empty=&bare&per_page=7`;
  const { headers } = await world.call("GET", "/users", { query });
  const next = linksOf(headers).get("next") as string;
  expect(next).not.toMatch(/[,'()!*[\] +]/);
  const sent = new URL(next).searchParams;
  expect(sent.getAll("x[]")).toEqual(["1", "2"]);
  expect(sent.get("note")).toBe("a,b c d'()!*");
  expect(sent.get("private_token")).toBe(rootToken);
  expect([sent.get("empty"), sent.has("bare")]).toEqual(["", true]);
  expect([sent.getAll("page"), sent.getAll("per_page")]).toEqual([["2"], ["7"]]);
});

test("the next links lead to every user once, in order", async () => {
  const ids: number[] = [];
  let next: string | undefined =
    `${world.origin}/api/v4/users?per_page=7&order_by=name&sort=asc&private_token=${rootToken}`;
  let pages = 0;
  while (next !== undefined) {
    const { pathname, search } = new URL(next);
    const { body, headers } = await world.call("GET", pathname, { query: search.slice(1) });
    ids.push(...body.map((user: { id: number }) => user.id));
    next = linksOf(headers).get("next");
    pages += 1;
  }
  expect(pages).toBe(7);
  expect(new Set(ids).size).toBe(45);
  expect(ids).toHaveLength(45);
});

test("lists of tokens have the same pages", async () => {
  const { headers, body } = await world.get("/personal_access_tokens?per_page=10&page=2");
  expect(paging(headers)).toEqual(["2", "10", "3", "1", "45", "5"]);
  expect(body).toHaveLength(10);
});

for (const query of [
  "page=501&per_page=100",
  "page=50001&per_page=1",
  "page=50&per_page=1001",
  `page=${"9".repeat(40)}`,
]) {
  test(`?${query} is deeper than the offset limit for users`, async () => {
    const { status, body } = await list(query);
    expect([status, body]).toEqual([
      405,
      {
        error:
          "Offset pagination has a maximum allowed offset of 50000 for requests that return objects of type User. " +
          "Remaining records can be retrieved using keyset pagination.",
      },
    ]);
  });
}

for (const query of ["page=500&per_page=100", "page=50000&per_page=1", "page=2500"]) {
  test(`?${query} is accepted`, async () => {
    expect((await list(query)).status).toBe(200);
  });
}

test("a huge page of a list without a deepest offset is empty", async () => {
  const { status, body, headers } = await world.get("/personal_access_tokens", { query: `page=${"9".repeat(40)}` });
  expect([status, body, headers.get("x-next-page")]).toEqual([200, [], ""]);
});

test("exactly 10,000 records are counted, one more is not", async () => {
  const big = await startWorld();
  insertCrowd(big, 9_999);
  const full = await big.get("/users?per_page=100&page=100");
  expect(paging(full.headers)).toEqual(["100", "100", "", "99", "10000", "100"]);
  expect([...linksOf(full.headers).keys()]).toEqual(["prev", "first", "last"]);
  expect(full.body).toHaveLength(100);

  insertCrowd(big, 1);
  for (const query of ["", "search=crowd", "exclude_external=true"]) {
    const { headers } = await big.get("/users", { query });
    const counted = query === "search=crowd";
    expect(paging(headers)).toEqual(["1", "20", "2", "", counted ? "10000" : null, counted ? "500" : null]);
    expect([...linksOf(headers).keys()]).toEqual(counted ? ["next", "first", "last"] : ["next", "first"]);
  }
  const last = await big.get("/users?page=101&per_page=100");
  expect(paging(last.headers)).toEqual(["101", "100", "", "100", null, null]);
  expect([...linksOf(last.headers).keys()]).toEqual(["prev", "first"]);
  expect(last.body).toHaveLength(1);

  insertCrowd(big, 1);
  expect((await big.get("/users?search=crowd")).headers.get("x-total")).toBeNull();
});
