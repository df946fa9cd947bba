import { expect, test } from "bun:test";
import { LargeJson } from "../../../src/http/responses/json-stream.ts";
import { ResponseCache } from "../../../src/http/responses/response-cache.ts";
import { JsonText } from "../../../src/lib/text/json-text.ts";

const pageOf = (mebibytes: number) => ({ body: new JsonText(new Uint8Array(mebibytes << 20)), headers: {} });

test("a page that was asked for twice is found until something changes", () => {
  const pages = new ResponseCache();
  const page = pageOf(0);
  pages.keep("a", 1, page);
  expect(pages.find("a", 1)).toBeUndefined();
  pages.keep("a", 1, page);
  expect(pages.find("a", 1)).toEqual(page);
  expect(pages.find("a", 2)).toBeUndefined();
  expect(pages.find("b", 1)).toBeUndefined();
});

test("a streamed response is not cached", () => {
  const pages = new ResponseCache();
  for (let count = 0; count < 2; count += 1) pages.keep("a", 1, { body: new LargeJson([]), headers: {} });
  expect(pages.find("a", 1)).toBeUndefined();
});

test("the cache has at most 64 pages, and at most 16 MiB", () => {
  const pages = new ResponseCache();
  const kept = () => Array.from({ length: 200 }, (_, key) => pages.find(`${key}`, 1)).filter((page) => page);
  for (let key = 0; key < 200; key += 1) {
    for (let count = 0; count < 2; count += 1) pages.keep(`${key}`, 1, pageOf(0));
    expect(kept().length).toBeLessThanOrEqual(64);
  }
  for (let key = 0; key < 200; key += 1) {
    for (let count = 0; count < 2; count += 1) pages.keep(`${key}`, 1, pageOf(3));
    expect(
      kept().reduce((sum, page) => sum + (page?.body instanceof JsonText ? page.body.bytes.length : 0), 0),
    ).toBeLessThanOrEqual(16 << 20);
    expect(pages.find(`${key}`, 1)).toBeDefined();
  }
});
