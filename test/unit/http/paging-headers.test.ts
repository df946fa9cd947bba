import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Page } from "../../../src/domain/page.ts";
import { encodeCursor } from "../../../src/http/responses/cursor.ts";
import type { Continuation, Paging } from "../../../src/http/responses/pagination.ts";
import { pagingHeaders } from "../../../src/http/responses/paging-headers.ts";

const url = "https://outpost.example/prefix/api/v4/users";

function offset(page: number, total: number | undefined, options: { perPage?: number; search?: string } = {}) {
  const { perPage = 20, search = "" } = options;
  const hasNext = total === undefined || page * perPage < total;
  const result: Page<unknown> = { items: [], total, hasNext, next: undefined };
  return pagingHeaders(url, search, { request: { kind: "offset", page, perPage } }, result);
}

function keyset(
  search: string,
  result: Partial<Page<unknown>>,
  continuation: Continuation = "cursor",
  sort: "asc" | "desc" = "asc",
) {
  const paging: Paging = {
    request: { kind: "keyset", after: undefined, perPage: 20 },
    keyset: { order: { orderBy: "id", sort }, continuation },
  };
  return pagingHeaders(url, search, paging, {
    items: [],
    total: undefined,
    hasNext: false,
    next: undefined,
    ...result,
  });
}

function linksOf(header: string | undefined): { rel: string; url: URL }[] {
  return (header ?? "").split(", ").map((link) => {
    const match = /^<([^<>,]+)>; rel="(\w+)"$/.exec(link);
    return { url: new URL(match?.[1] ?? ""), rel: match?.[2] ?? "" };
  });
}

test("a page in the middle has every header, and links in the order prev, next, first, last", () => {
  expect(offset(2, 55, { search: "page=2&per_page=20" })).toEqual({
    "X-Page": "2",
    "X-Per-Page": "20",
    "X-Next-Page": "3",
    "X-Prev-Page": "1",
    "X-Total": "55",
    "X-Total-Pages": "3",
    Link: [
      `<${url}?page=1&per_page=20>; rel="prev"`,
      `<${url}?page=3&per_page=20>; rel="next"`,
      `<${url}?page=1&per_page=20>; rel="first"`,
      `<${url}?page=3&per_page=20>; rel="last"`,
    ].join(", "),
  });
});

test("links that are too long together leave out optional pages, never the next one", () => {
  const relsWith = (length: number, page: number, total?: number) => {
    const { Link } = offset(page, total, { search: `search=${"x".repeat(length)}` });
    return { rels: linksOf(Link).map(({ rel }) => rel), bytes: Link?.length ?? 0 };
  };
  const all = ["prev", "next", "first", "last"];
  const overhead = offset(2, 55, { search: "search=" }).Link?.length as number;
  const longest = Math.floor((4096 - overhead) / 4);
  expect(relsWith(longest, 2, 55)).toEqual({ rels: all, bytes: expect.any(Number) });
  expect(relsWith(longest, 2, 55).bytes).toBeLessThanOrEqual(4096);
  expect(relsWith(longest + 1, 2, 55).rels).toEqual(["prev", "next"]);
  expect(relsWith(1_850, 2, 55).rels).toEqual(["prev", "next"]);
  expect(relsWith(2_100, 2, 55).rels).toEqual(["next"]);
  expect(relsWith(7_900, 2, 55).rels).toEqual(["next"]);
  expect(relsWith(7_900, 2).rels).toEqual(["next"]);
});

test("without a next page, links that are too long are no header at all", () => {
  const search = `search=${"x".repeat(7_900)}`;
  expect(offset(1, 5, { search })).toEqual({
    "X-Page": "1",
    "X-Per-Page": "20",
    "X-Next-Page": "",
    "X-Prev-Page": "",
    "X-Total": "5",
    "X-Total-Pages": "1",
  });
  expect(offset(3, 55, { search }).Link).toBeUndefined();
});

test("the first page has no previous one, and its header is present and empty", () => {
  const headers = offset(1, 40);
  expect(headers["X-Prev-Page"]).toBe("");
  expect(linksOf(headers.Link).map(({ rel }) => rel)).toEqual(["next", "first", "last"]);
});

test("the last page has no next one, and its header is present and empty", () => {
  const headers = offset(2, 40);
  expect(headers["X-Next-Page"]).toBe("");
  expect(linksOf(headers.Link).map(({ rel }) => rel)).toEqual(["prev", "first", "last"]);
});

test("an empty list has total 0 and one page", () => {
  expect(offset(1, 0)).toMatchObject({ "X-Total": "0", "X-Total-Pages": "1" });
  expect(offset(1, 0).Link).toBe(`<${url}?page=1&per_page=20>; rel="first", <${url}?page=1&per_page=20>; rel="last"`);
});

test("a page beyond the last has the page before it and no next", () => {
  const headers = offset(9, 40);
  expect(headers).toMatchObject({ "X-Page": "9", "X-Next-Page": "", "X-Prev-Page": "8", "X-Total-Pages": "2" });
  expect(linksOf(headers.Link).map(({ rel }) => rel)).toEqual(["prev", "first", "last"]);
});

test("without a total, the totals and the last link are left out", () => {
  const headers = offset(1, undefined);
  expect(Object.keys(headers).sort()).toEqual(["Link", "X-Next-Page", "X-Page", "X-Per-Page", "X-Prev-Page"]);
  expect(linksOf(headers.Link).map(({ rel }) => rel)).toEqual(["next", "first"]);
});

test("exactly ten thousand records still have totals", () => {
  expect(offset(1, 10_000)).toMatchObject({ "X-Total": "10000", "X-Total-Pages": "500" });
});

test("links keep the request's parameters and replace only page and per_page", () => {
  const { Link } = offset(1, 40, { search: "search=a%20b&page=1&private_token=T&per%5Fpage=20&page=1" });
  expect(Link).toStartWith(`<${url}?search=a%20b&private_token=T&page=2&per_page=20>; rel="next"`);
});

test("links give the clamped per_page", () => {
  expect(offset(1, 400, { search: "per_page=1000", perPage: 100 }).Link).toContain("?page=2&per_page=100>");
});

test("arrays keep their brackets, and every other reserved character is encoded", () => {
  const search = "labels[]=a,b&labels%5B%5D=c&custom_attributes[k]=v&t=1:2/3?4@5!6$7'8(9)*;=+x&flag&";
  const { Link } = offset(1, 1, { search });
  expect(Link).toStartWith(
    `<${url}?labels%5B%5D=a%2Cb&labels%5B%5D=c&custom_attributes%5Bk%5D=v` +
      "&t=1%3A2%2F3%3F4%405%216%247%278%289%29%2A%3B%3D%20x&flag&page=1&per_page=20>",
  );
});

test("no header splits at a comma inside of a link, and every link requests the same", () => {
  const pair = fc.tuple(fc.stringMatching(/^[a-z[\]]{1,5}$/), fc.string({ unit: "grapheme" }));
  fc.assert(
    fc.property(fc.array(pair), fc.integer({ min: 1, max: 9 }), (pairs, page) => {
      const sent = new URLSearchParams(pairs.filter(([, value]) => value.isWellFormed()));
      // As Bun hands it over: a URL's own escapes, and raw reserved characters.
      const search = new URL(`http://gl/?${`${sent}`.replaceAll("%2C", ",").replaceAll("%3A", ":")}`).search.slice(1);
      for (const link of linksOf(offset(page, 100, { search }).Link)) {
        const kept = [...link.url.searchParams].filter(([name]) => name !== "page" && name !== "per_page");
        expect(kept).toEqual([...sent].filter(([name]) => name !== "page" && name !== "per_page"));
        expect(link.url.searchParams.get("per_page")).toBe("20");
      }
    }),
  );
});

test("a keyset page has a next link with the cursor, and no other header", () => {
  const next = { key: 7, id: 7 };
  const cursor = encodeCursor({ orderBy: "id", sort: "asc" }, next);
  const headers = keyset("pagination=keyset&per_page=20&cursor=old&search=a,b", { next, hasNext: true });
  expect(headers).toEqual({
    Link: `<${url}?pagination=keyset&per_page=20&search=a%2Cb&cursor=${cursor}>; rel="next"`,
  });
});

test("the last keyset page has no header at all", () => {
  expect(keyset("pagination=keyset", {})).toEqual({});
});

test("a list that goes on by id has a link on every page that is not empty", () => {
  const items = [{ id: 3 }, { id: 9 }];
  expect(keyset("pagination=keyset&id_after=2", { items }, "id").Link).toBe(
    `<${url}?pagination=keyset&id_after=9>; rel="next"`,
  );
  expect(keyset("pagination=keyset", { items }, "id", "desc").Link).toBe(
    `<${url}?pagination=keyset&id_before=9>; rel="next"`,
  );
  expect(keyset("pagination=keyset", {}, "id")).toEqual({});
});
