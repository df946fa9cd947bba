import { describe, expect, spyOn, test } from "bun:test";
import { type CachedPage, ResponseCache } from "../../../../../src/http/responses/response-cache.ts";
import { createRandom } from "../../../../support/checks/random.ts";
import { fillList, furnish, lists } from "../../../matrix/lists.ts";
import { allSamples, nameOf } from "../../../matrix/samples.ts";
import { setScene } from "../../../matrix/scene.ts";

const scene = await setScene();
await furnish(scene);
const samples = allSamples(scene);
const random = createRandom();
const tokens = [scene.boss.token, scene.ann.token, ...scene.testers.map(({ person }) => person.token)] as const;
const queries = ["", "per_page=2", "per_page=2&page=2", "sort=asc", "search=a"] as const;
const anyOf = <T>(values: readonly T[]): T => values[random.integer(0, values.length - 1)] as T;

interface Asked {
  readonly token?: string;
  readonly query: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Ways to say who is asking; the last two mean the same person as a token in the header. */
const ways: readonly ((query: string) => Asked)[] = [
  (query) => ({ query }),
  (query) => ({ query, token: anyOf(tokens) }),
  (query) => ({ query, token: scene.boss.token, headers: { sudo: "ann" } }),
  (query) => ({ query, headers: { authorization: `Bearer ${anyOf(tokens)}` } }),
  (query) => ({ query: `${query}&private_token=${anyOf(tokens)}` }),
];

/** Of the address, which differs by one parameter, or of one answer alone. */
const changing = new Set(["x-request-id", "x-runtime", "date", "etag", "link", "content-length"]);
const lasting = (headers: Headers) => Object.fromEntries([...headers].filter(([name]) => !changing.has(name)));

describe("for every caller, a cached list equals an uncached one", () => {
  for (const operation of lists) {
    test(nameOf(operation), async () => {
      const list = await fillList(scene, samples, operation);
      await scene.world.jobsDone();
      let asked = 0;
      const bare = (body: unknown) => JSON.stringify(body)?.replace(/[?&]_=\d+/g, "");
      for (let count = 0; count < 15; count += 1) {
        const { token, query, headers } = anyOf(ways)(anyOf(queries));
        const ask = (more = "") => list.ask(token, query + more, headers === undefined ? {} : { headers });
        asked += 1;
        // A page is cached when it is asked for a second time.
        for (let before = 0; before < 2; before += 1) await ask();
        await scene.world.call("GET", "/projects?per_page=1", { token: scene.boss.token });
        const [one, other] = [await ask(), await ask(`&_=${asked}`)];
        expect([one.status, bare(one.body)]).toEqual([other.status, bare(other.body)]);
        expect(lasting(one.headers)).toEqual(lasting(other.headers));
        expect(one.headers.get("x-request-id")).not.toBe(other.headers.get("x-request-id"));
      }
    });
  }
});

test("a list that was asked for twice comes from the cache, until something changes or a second has passed", async () => {
  const find = spyOn(ResponseCache.prototype, "find");
  const areFromCache = async () => {
    find.mockClear();
    for (let count = 0; count < 3; count += 1) {
      await scene.world.call("GET", "/groups", { token: scene.ann.token });
    }
    return find.mock.results.map(({ value }) => value !== undefined);
  };
  await areFromCache();
  expect(await areFromCache()).toEqual([true, true, true]);
  await scene.world.call("PUT", "/user/status", { token: scene.boss.token, json: { emoji: "tea" } });
  expect(await areFromCache()).toEqual([false, false, true]);
  scene.world.clock.advance(1_000);
  expect(await areFromCache()).toEqual([false, false, true]);
  find.mockRestore();
});

test("of a cached page, what is sent is kept for three values of Accept-Encoding, and for none that is long", async () => {
  const find = spyOn(ResponseCache.prototype, "find");
  const ask = async (coding: string) => {
    const headers = { "accept-encoding": coding };
    return (await scene.world.call("GET", "/projects", { token: scene.ann.token, headers })).body;
  };
  const first = await ask("identity");
  await ask("identity");
  const long = `gzip;q=${"0".repeat(200)}`;
  for (const coding of [long, "identity", "gzip", "zstd", "gzip, zstd", "zstd, gzip", long]) {
    expect(await ask(coding)).toEqual(first);
  }
  const page = find.mock.results.at(-1)?.value as CachedPage<unknown>;
  expect([...page.sent.keys()]).toEqual(["identity", "gzip", "zstd"]);
  find.mockRestore();
});
