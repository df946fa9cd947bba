import { expect, test } from "bun:test";
import { LargeJson, listJson } from "../../../src/http/responses/json-stream.ts";
import { type AskedList, ResponseCache } from "../../../src/http/responses/response-cache.ts";
import { JsonText } from "../../../src/lib/text/json-text.ts";

const pageOf = (mebibytes: number) => ({ body: new JsonText(new Uint8Array(mebibytes << 20)), headers: {} });
const state = { version: 1, now: 1_500 };

function listOf(search: string, headers: Record<string, string> = {}): AskedList {
  const baseUrl = "http://outpost.example";
  return { request: new Request(baseUrl, { headers }), baseUrl, path: "/api/v4/users", search };
}

/** Keeps a page as often as it takes until the cache has it. */
function keepTwice(pages: ResponseCache<string>, list: AskedList, page = pageOf(0)): void {
  for (let count = 0; count < 2; count += 1) pages.keep(list, state, page, "asked");
}

test("a page that was asked for twice is found until something changes, or a second is over", () => {
  const pages = new ResponseCache<string>();
  const page = pageOf(0);
  const list = listOf("page=1");
  pages.keep(list, state, page, "asked");
  expect(pages.find(list, state)).toBeUndefined();
  pages.keep(list, state, page, "asked");
  expect(pages.find(list, state)).toMatchObject({ ...page, asked: "asked" });
  expect(pages.find(listOf("page=2"), state)).toBeUndefined();
  expect(pages.find(list, { ...state, now: 1_999 })).toBeDefined();
  expect(pages.find(list, { ...state, now: 2_000 })).toBeUndefined();
  expect(pages.find(list, { ...state, version: 2 })).toBeUndefined();
});

test("a page is found for the same credentials only", () => {
  const given = [
    {},
    { "private-token": "" },
    { "private-token": "a" },
    { "private-token": "null" },
    { authorization: "a" },
    { "job-token": "a" },
    { cookie: "a" },
    { sudo: "a" },
    { "private-token": "a", sudo: "b" },
    { "private-token": "a", sudo: "" },
  ];
  for (const [kept, headers] of given.entries()) {
    const pages = new ResponseCache<string>();
    keepTwice(pages, listOf("", headers));
    const found = given.map((other) => pages.find(listOf("", other), state) !== undefined);
    expect(found).toEqual(given.map((_, place) => place === kept));
  }
});

test("a page is found for the same base of its URLs only", () => {
  const pages = new ResponseCache<string>();
  keepTwice(pages, listOf(""));
  expect(pages.find({ ...listOf(""), baseUrl: "https://other.example" }, state)).toBeUndefined();
});

test("a cached page has its own bytes", () => {
  const pages = new ResponseCache<string>();
  const jsonOf = (items: readonly unknown[]) => ({ body: listJson(items), headers: {} });
  for (const items of [[1], [JsonText.of(2)]]) {
    const list = listOf(`${items.length}${typeof items[0]}`);
    for (let count = 0; count < 2; count += 1) pages.keep(list, state, jsonOf(items), "asked");
    listJson(["another list"]);
    expect(pages.find(list, state)?.body.parse()).toEqual([typeof items[0] === "number" ? 1 : 2]);
  }
});

test("a streamed response is not cached", () => {
  const pages = new ResponseCache<string>();
  for (let count = 0; count < 2; count += 1) {
    pages.keep(listOf(""), state, { body: new LargeJson([]), headers: {} }, "asked");
  }
  expect(pages.find(listOf(""), state)).toBeUndefined();
});

test("the cache has at most 64 pages, and at most 16 MiB with the copies that are sent", () => {
  const pages = new ResponseCache<string>();
  const kept = () =>
    Array.from({ length: 200 }, (_, key) => pages.find(listOf(`${key}`), state)).filter((page) => page);
  for (let key = 0; key < 200; key += 1) {
    keepTwice(pages, listOf(`${key}`));
    expect(kept().length).toBeLessThanOrEqual(64);
  }
  for (let key = 0; key < 200; key += 1) {
    keepTwice(pages, listOf(`${key}`), pageOf(3));
    expect(kept().reduce((sum, page) => sum + (page?.body.bytes.length ?? 0), 0)).toBeLessThanOrEqual(4 << 20);
    expect(pages.find(listOf(`${key}`), state)).toBeDefined();
  }
});

test("long credentials count as the bytes of their page do", () => {
  const pages = new ResponseCache<string>();
  const lists = Array.from({ length: 40 }, (_, key) => listOf("", { cookie: `${key}`.padEnd(1 << 20, "x") }));
  for (const list of lists) keepTwice(pages, list);
  const found = lists.filter((list) => pages.find(list, state) !== undefined);
  expect([found.length > 0, found.length <= 16]).toEqual([true, true]);
});
