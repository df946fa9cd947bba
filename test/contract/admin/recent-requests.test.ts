import { expect, test } from "bun:test";
import { type CallOptions, type Json, rootToken, startWorld } from "../../support/world.ts";

const world = await startWorld();
const ann = await world.user({ username: "ann" });
const bob = await world.user({ username: "bob" });
const list = async (query: CallOptions["query"] = {}): Promise<Json[]> =>
  (await world.get("/-/requests", { query })).body;
const latest = async (): Promise<Json> => (await list({ per_page: 1 }))[0];

test("a request is listed with what it was, and without any value", async () => {
  const json = { name: "Secret plans", description: "hush-hush", topics: ["x"] };
  const { headers } = await world.call("POST", "/projects", { token: ann.token, json, query: { statistics: true } });
  const shown = await latest();
  expect(shown).toEqual({
    id: expect.any(Number),
    answered_at: new Date(world.clock.now()).toISOString(),
    duration_ms: expect.any(Number),
    method: "POST",
    path: "/api/v4/projects",
    route: "/projects",
    status: 201,
    user: "ann",
    request_id: headers.get("x-request-id"),
    parameters: ["statistics", "name", "description", "topics"],
    size: JSON.stringify(json).length,
    reason: null,
  });
  expect(JSON.stringify(await list())).not.toMatch(/Secret plans|hush-hush/);
});

test("tokens in the query and in the path are not shown", async () => {
  await world.call("GET", "/user", { query: { private_token: ann.token } });
  expect((await latest()).parameters).toEqual(["private_token"]);
  await world.call("GET", `/nowhere/${rootToken}-and-more`);
  expect(await latest()).toMatchObject({ route: null, status: 404, path: "/api/v4/nowhere/…", user: null });
  const text = JSON.stringify(await list({ per_page: 100 }));
  expect(text).not.toContain(ann.token);
  expect(text).not.toContain(rootToken);
});

test("a refusal says its cause, which the answer hides", async () => {
  const { body: project } = await world.call("POST", "/projects", { token: ann.token, json: { name: "hidden" } });
  const refused = async (method: string, path: string, options: CallOptions) => {
    await world.call(method, path, options);
    return (await latest()).reason;
  };
  expect(await refused("GET", `/projects/${project.id}`, { token: bob.token })).toContain("bob is no member");
  expect(await refused("GET", "/projects/4711", { token: bob.token })).toBe("there is no project 4711");
  expect(await refused("GET", "/user", { token: "opx-unknown-token-of-tests" })).toContain("401 Unauthorized");
  expect(await refused("POST", "/projects", { token: bob.token, json: {} })).toContain("name");
  expect(await refused("DELETE", "/version", { token: bob.token })).toContain("405");
});

test("the list is newest first, filtered, and does not list itself", async () => {
  await world.call("GET", "/version", { token: bob.token });
  await world.call("GET", "/projects/4711", { token: bob.token });
  const routes = async (query: CallOptions["query"]) => (await list(query)).map(({ route }) => route);
  expect((await routes({})).slice(0, 2)).toEqual(["/projects/:id", "/version"]);
  expect((await routes({ user: "bob", status: "2xx" }))[0]).toBe("/version");
  expect((await routes({ status: "4xx" }))[0]).toBe("/projects/:id");
  expect(new Set(await routes({ route: "/version" }))).toEqual(new Set(["/version"]));
  expect(await routes({ method: "PATCH" })).toEqual([]);
  expect(await routes({ route: "/-/requests" })).toEqual([]);
});

test("the last 2,000 are kept", async () => {
  for (let batch = 0; batch < 21; batch += 1) {
    await Promise.all(Array.from({ length: 100 }, () => fetch(`${world.origin}/-/liveness`)));
  }
  const { headers, body } = await world.get("/-/requests", { query: { per_page: 100, page: 20 } });
  expect([headers.get("x-total"), body.length]).toEqual(["2000", 100]);
  expect(body[0].id - body[99].id).toBe(99);
}, 60_000);
