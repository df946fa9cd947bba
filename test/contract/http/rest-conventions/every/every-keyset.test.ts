import { describe, expect, test } from "bun:test";
import { pagingNames } from "../../../../support/checks/paging.ts";
import { linksOf } from "../../../../support/fixtures/links.ts";
import type { Json } from "../../../../support/fixtures/world.ts";
import { type FilledList, fillList, furnish, lists } from "../../../matrix/lists.ts";
import { allSamples, nameOf } from "../../../matrix/samples.ts";
import { setScene } from "../../../matrix/scene.ts";

const scene = await setScene();
const { world, boss } = scene;
const { token } = boss;
const samples = allSamples(scene);
await furnish(scene);
const filled: FilledList[] = [];
for (const operation of lists) filled.push(await fillList(scene, samples, operation));

const keysetOf = ({ operation: { answer } }: FilledList) => (answer.kind === "page" ? answer.keyset : undefined);

/** Follows `Link` from page to page until it is gone; no page is told by its number. */
async function walk(list: FilledList, query: string): Promise<Json[]> {
  const items: Json[] = [];
  let search = query;
  for (let count = 0; count < 1_000; count += 1) {
    const url = list.path + (search === "" ? "" : `?${search}`);
    const { status, body, headers } = await world.call("GET", url, { token });
    expect(status).toBe(200);
    expect(["links", ...pagingNames].filter((name) => headers.has(name))).toEqual([]);
    expect(body.length).toBeLessThanOrEqual(2);
    items.push(...body);
    const links = linksOf(headers);
    const next = links.get("next");
    if (next === undefined) return items;
    expect([...links.keys()]).toEqual(["next"]);
    search = new URL(next).search.slice(1);
    expect(search).toContain("nonsense=a%2Cb");
  }
  throw new Error("the walk has no end");
}

const namesOf = (items: readonly Json[]) => items.map(({ id, path }) => id ?? path);

for (const list of filled) {
  const keyset = keysetOf(list);
  const name = nameOf(list.operation);
  if (keyset === undefined) {
    if (list.operation.method !== "GET") continue;
    test(`${name} has pages by number only, and ignores the parameters of others`, async () => {
      const { status, text, headers } = await list.ask(token, "pagination=keyset&cursor=x&per_page=100");
      expect([status, headers.get("x-page")]).toEqual([200, "1"]);
      expect(text).toBe((await list.ask(token, "per_page=100")).text);
    });
    continue;
  }

  describe(`${name} by keyset`, () => {
    for (const { orderBy, sort: sorts } of keyset.orders) {
      for (const sort of sorts) {
        test(`a walk by ${orderBy} ${sort} has every entry once, as the pages by number do`, async () => {
          const order = `order_by=${orderBy}&sort=${sort}`;
          const all: Json[] = [];
          for (let page = 1; all.length === (page - 1) * 100; page += 1) {
            all.push(...(await list.ask(token, `per_page=100&page=${page}&${order}`)).body);
          }
          const walked = await walk(list, `pagination=keyset&per_page=2&nonsense=a,b&${order}`);
          expect(namesOf(walked)).toEqual(namesOf(all));
        });
      }
    }

    const supports = (orderBy: string, sort: "asc" | "desc") =>
      keyset.orders.some((each) => each.orderBy === orderBy && each.sort.includes(sort));

    test("the default order applies without one, if it has keyset", async () => {
      const { orderBy, sort } = keyset.defaults;
      const { status } = await list.ask(token, "pagination=keyset");
      expect(status).toBe(supports(orderBy, sort) ? 200 : 405);
    });

    // The tree of a repository and the documents of the store have no orders to ask for.
    if (keyset.continuation === "page_token" || keyset.isAlways === true) return;
    test("other orders are refused", async () => {
      for (const orderBy of ["id", "name", "path", "created_at", "similarity"]) {
        for (const sort of ["asc", "desc"] as const) {
          if (supports(orderBy, sort)) continue;
          const { status, body } = await list.ask(token, `pagination=keyset&order_by=${orderBy}&sort=${sort}`);
          const error =
            status === 400
              ? "order_by does not have a valid value"
              : "Keyset pagination is not yet available for this type of request";
          expect({ orderBy, sort, status, error: body.error }).toEqual({
            orderBy,
            sort,
            status: status === 400 ? 400 : 405,
            error,
          });
        }
      }
    });
  });
}
