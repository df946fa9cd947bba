import { afterEach, describe, expect, spyOn, test } from "bun:test";
import { ResponseCache } from "../../../../src/http/responses/response-cache.ts";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { flagsOf } from "./setting.ts";

const world = await startWorld();
const { set, remove, names } = flagsOf(world);
const ann = await world.user();

afterEach(async () => {
  for (const name of await names()) await remove(name);
});

/** The lines that the log gets from the requests of `calls`. */
async function linesOf(calls: () => Promise<unknown>): Promise<string[]> {
  const before = world.logged.length;
  await calls();
  return world.logged.slice(before).filter((line) => line.startsWith("request "));
}
const showOneself = (token: string) => world.call("GET", "/user", { token });

describe("request_log", () => {
  test("is on until it is set, and then follows its gates at once", async () => {
    expect(await linesOf(() => showOneself(ann.token))).toHaveLength(1);
    await set("request_log", { value: false });
    expect(await linesOf(() => showOneself(ann.token))).toEqual([]);
    await set("request_log", { value: true, user: ann.username });
    expect(await linesOf(() => showOneself(ann.token))).toHaveLength(1);
    expect(await linesOf(() => showOneself(rootToken))).toEqual([]);
    expect(await linesOf(() => world.call("GET", "/-/health"))).toEqual([]);
    await remove("request_log");
    expect(await linesOf(() => showOneself(rootToken))).toHaveLength(1);
  });

  test("leaves out users who opted out of it", async () => {
    await set("request_log", { value: true });
    await set("request_log", { value: "opt_out", user: ann.username });
    expect(await linesOf(() => showOneself(ann.token))).toEqual([]);
    expect(await linesOf(() => showOneself(rootToken))).toHaveLength(1);
  });
});

test("a line names the user, the path of an unknown operation, but no token", async () => {
  const secret = "outpost-AbCdEfGhIjKlMnOpQrSt";
  const path = `/projects/7/unheard_of/${secret}`;
  const [known, unknown] = await linesOf(async () => {
    await showOneself(ann.token);
    await world.call("GET", path, { token: ann.token, query: { private: secret } });
  });
  expect(known).toContain(`"route":"/user","status":200`);
  expect(known).toContain(`"username":"${ann.username}"`);
  expect(unknown).toContain('"route":"unknown","path":"/api/v4/projects/7/unheard_of/…","status":404');
  expect(world.logged.join("\n")).not.toContain(secret);
});

test("request_log_details names the program and the address", async () => {
  const call = () => world.call("GET", "/user", { token: ann.token, headers: { "user-agent": "sloop/7" } });
  expect(await linesOf(call)).not.toEqual([expect.stringContaining("sloop/7")]);
  await set("request_log_details", { value: true });
  expect(await linesOf(call)).toEqual([expect.stringMatching(/"ip_address":"[^"]+","user_agent":"sloop\/7"/)]);
});

test("cross_origin_requests lets pages of other origins read", async () => {
  const origin = { origin: "https://elsewhere.example" };
  const headers = { ...origin, "access-control-request-method": "GET" };
  const seen = async () => [
    (await world.call("GET", "/version", { token: ann.token, headers: origin })).headers.get(
      "access-control-allow-origin",
    ),
    (await world.call("OPTIONS", "/version", { headers })).headers.get("access-control-max-age"),
  ];
  expect(await seen()).toEqual(["*", "7200"]);
  await set("cross_origin_requests", { value: false });
  expect(await seen()).toEqual([null, null]);
});

test("token_usage_tracking records the last use of a token", async () => {
  const made = await world.token(ann.id, { name: "watched" });
  const lastUse = async () => (await world.get(`/personal_access_tokens/${made.id}`)).body.last_used_at;
  await set("token_usage_tracking", { value: false });
  await showOneself(made.token);
  expect(await lastUse()).toBeNull();
  await remove("token_usage_tracking");
  await showOneself(made.token);
  expect(await lastUse()).not.toBeNull();
});

test("list_response_cache answers a list from the cache", async () => {
  const find = spyOn(ResponseCache.prototype, "find");
  const list = async () => (await world.get("/users")).text;
  const areFromCache = () => find.mock.results.map(({ value }) => value !== undefined);
  const first = await list();
  for (let count = 0; count < 2; count += 1) expect(await list()).toBe(first);
  expect(areFromCache()).toEqual([false, false, true]);
  await set("list_response_cache", { value: false });
  find.mockClear();
  for (let count = 0; count < 3; count += 1) expect(await list()).toBe(first);
  expect(areFromCache()).toEqual([false, false, false]);
  find.mockRestore();
});
