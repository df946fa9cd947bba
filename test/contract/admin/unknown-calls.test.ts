import { expect, test } from "bun:test";
import { rootToken, startWorld } from "../../support/fixtures/world.ts";

const world = await startWorld();
const ann = await world.user();
const list = async () => (await world.get("/-/unknown-calls")).body;

test("the server counts calls of unknown operations by method and path", async () => {
  const first_at = world.clock.time();
  for (const id of [1, 2, "group%2Fproject"]) {
    const { status, headers } = await world.call("GET", `/projects/${id}/unheard_of`, { token: ann.token });
    expect([status, headers.get("x-outpost-reason")]).toEqual([404, "unknown operation"]);
  }
  world.clock.advance(60_000);
  await world.call("GET", "/projects/3/unheard_of", { query: { private_token: ann.token } });
  await world.call("POST", "/version", { token: ann.token });
  await world.call("GET", `/unheard_of/${rootToken}-and-more`, { token: ann.token });
  const last_at = world.clock.time();
  expect(await list()).toEqual([
    { method: "GET", path: "/api/v4/projects/:id/unheard_of", count: 4, first_at, last_at },
    { method: "POST", path: "/api/v4/version", count: 1, first_at: last_at, last_at },
    { method: "GET", path: "/api/v4/unheard_of/…", count: 1, first_at: last_at, last_at },
  ]);
});

test("it does not count calls that an operation refuses", async () => {
  const before = await list();
  const { headers } = await world.call("GET", "/projects/4711", { token: ann.token });
  expect(headers.has("x-outpost-reason")).toBe(false);
  expect(await list()).toEqual(before);
});

test("it remembers the latest 500 of many different calls", async () => {
  for (let count = 0; count < 600; count += 1) await world.call("GET", `/unheard_of/a${count}`);
  const paths = (await list()).map(({ path }: { path: string }) => path);
  expect(paths).toHaveLength(500);
  expect(paths).toContain("/api/v4/unheard_of/a599");
  expect(paths).not.toContain("/api/v4/unheard_of/a99");
});
