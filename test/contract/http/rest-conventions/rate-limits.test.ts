import { expect, test } from "bun:test";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld();
const ann = await world.user({ username: "ann" });
const bob = await world.user({ username: "bob" });
const put = (json: unknown) => world.call("PUT", "/application/settings", { token: rootToken, json });
const asAnn = () => world.call("GET", "/version", { token: ann.token });
const anonymously = () => world.call("GET", "/users?username=ann");

/** The clock of the tests stands 1,800.25 s before the end of its hour. */
const hourRest = 1800;

test("nothing is limited at first", async () => {
  for (let i = 0; i < 30; i += 1) expect((await asAnn()).status).toBe(200);
});

test("over the limit of users the answer is 429 with text and all headers, for that user alone", async () => {
  await put({
    throttle_authenticated_api_enabled: true,
    throttle_authenticated_api_requests_per_period: 3,
    throttle_authenticated_api_period_in_seconds: 3600,
  });
  for (let i = 0; i < 3; i += 1) expect((await asAnn()).status).toBe(200);
  const { status, headers, text } = await asAnn();
  expect(status).toBe(429);
  expect(text).toBe("Retry later\n");
  expect(headers.get("content-type")).toBe("text/plain");
  const reset = Math.floor(world.clock.now() / 1000) + hourRest;
  expect(Object.fromEntries([...headers].filter(([name]) => /^(ratelimit-|retry-after)/.test(name)))).toEqual({
    "ratelimit-name": "throttle_authenticated_api",
    "ratelimit-limit": "1",
    "ratelimit-observed": "4",
    "ratelimit-remaining": "0",
    "ratelimit-reset": String(reset),
    "ratelimit-resettime": new Date(reset * 1000).toUTCString(),
    "retry-after": String(hourRest),
  });
  expect((await world.call("GET", "/version", { token: bob.token })).status).toBe(200);
  expect((await anonymously()).status).toBe(200);
  expect((await asAnn()).headers.get("ratelimit-observed")).toBe("5");
});

test("health is never limited, even with the token of somebody who is", async () => {
  expect((await world.call("GET", "/-/health", { token: ann.token })).status).toBe(200);
});

test("a new window begins anew", async () => {
  world.clock.advance((hourRest - 1) * 1000);
  expect((await asAnn()).headers.get("retry-after")).toBe("1");
  world.clock.advance(1000);
  expect((await asAnn()).status).toBe(200);
});

test("a change of the settings takes effect at once, its text too", async () => {
  for (let i = 0; i < 5; i += 1) await asAnn();
  await put({ rate_limiting_response_text: "Come back later" });
  expect((await asAnn()).text).toBe("Come back later\n");
  await put({ throttle_authenticated_api_enabled: false, rate_limiting_response_text: null });
  expect((await asAnn()).status).toBe(200);
});

test("the anonymous and bad credentials are counted for their address", async () => {
  await put({
    throttle_unauthenticated_api_enabled: true,
    throttle_unauthenticated_api_requests_per_period: 4,
    throttle_unauthenticated_api_period_in_seconds: 60,
  });
  expect((await anonymously()).status).toBe(200);
  for (let i = 0; i < 3; i += 1) expect((await world.call("GET", "/version", { token: "opx-wrong" })).status).toBe(401);
  const { status, headers } = await anonymously();
  expect(status).toBe(429);
  expect(headers.get("ratelimit-name")).toBe("throttle_unauthenticated_api");
  expect(headers.get("ratelimit-limit")).toBe("4");
  expect((await world.call("GET", "/version", { token: "opx-wrong" })).status).toBe(429);
  expect((await asAnn()).status).toBe(200);
  await put({ throttle_unauthenticated_api_enabled: false });
});

test("single users may be asked for so many times in ten minutes, by administrators always", async () => {
  await put({ users_get_by_id_limit: 2 });
  const one = (token: string) => world.call("GET", `/users/${bob.id}`, { token });
  for (let i = 0; i < 2; i += 1) expect((await one(ann.token)).status).toBe(200);
  const { status, headers, body } = await one(ann.token);
  expect(status).toBe(429);
  expect(body).toEqual({ message: { error: "This endpoint has been requested too many times. Try again later." } });
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  expect(Number(headers.get("retry-after"))).toBeLessThanOrEqual(600);
  for (let i = 0; i < 5; i += 1) expect((await one(rootToken)).status).toBe(200);
  await put({ users_get_by_id_limit_allowlist: [ann.username.toUpperCase()] });
  for (let i = 0; i < 5; i += 1) expect((await one(ann.token)).status).toBe(200);
  await put({ users_get_by_id_limit_allowlist: [] });
  expect((await one(ann.token)).status).toBe(429);
  world.clock.advance(600_000);
  expect((await one(ann.token)).status).toBe(200);
  await put({ users_get_by_id_limit: 0 });
});

test("a page from the response cache counts, too", async () => {
  await put({ throttle_authenticated_api_enabled: true, throttle_authenticated_api_requests_per_period: 4 });
  const list = () => world.call("GET", "/users?per_page=1", { token: bob.token });
  world.clock.advance(2 * hourRest * 1000);
  const statuses: number[] = [];
  for (let i = 0; i < 6; i += 1) statuses.push((await list()).status);
  expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
  await put({ throttle_authenticated_api_enabled: false });
});
