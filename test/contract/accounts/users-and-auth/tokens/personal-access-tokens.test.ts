import { expect, test } from "bun:test";
import { scopes } from "../../../../../src/domain/scopes.ts";
import { accessTokens } from "../../../../../src/modules/accounts/access-tokens/records.ts";
import { users } from "../../../../../src/modules/core/users/records.ts";
import { type Json, rootToken, startWorld } from "../../../../support/fixtures/world.ts";

const world = await startWorld();
const ann = await world.user({ username: "ann" });
const bob = await world.user({ username: "bob" });
const boss = await world.user({ username: "boss", admin: true });

const fields = [
  ...[
    "id",
    "name",
    "revoked",
    "created_at",
    "description",
    "scopes",
    "user_id",
    "last_used_at",
    "active",
    "expires_at",
  ],
];
const createFor = (userId: number | string, json: unknown, token: string | undefined = rootToken) =>
  world.call("POST", `/users/${userId}/personal_access_tokens`, { token, json });
const createOwn = (json: unknown, token: string = ann.token) =>
  world.call("POST", "/user/personal_access_tokens", { token, json });
const ids = (answer: { body: Json }) => answer.body.map((token: Json) => token.id);
const insufficient = (body: Json) => body.error === "insufficient_scope";

function makeImpersonation(id: number): void {
  world.store.transact((tx) => {
    const token = world.store.of(accessTokens).get(id);
    if (token !== undefined) tx.update(accessTokens, { ...token, impersonation: true });
  });
}

// Creation for a user

test("an administrator creates a token for a user, and only that answer shows it", async () => {
  const { status, body } = await createFor(ann.id, { name: "ci", scopes: ["api", "read_user"], description: "for ci" });
  expect(status).toBe(201);
  expect(body).toEqual({
    id: expect.any(Number),
    name: "ci",
    revoked: false,
    created_at: world.clock.time(),
    description: "for ci",
    scopes: ["api", "read_user"],
    user_id: ann.id,
    last_used_at: null,
    active: true,
    expires_at: world.clock.day(365),
    token: expect.stringMatching(/^opx-[\w-]{20,}$/),
  });
  const single = await world.get(`/personal_access_tokens/${body.id}`);
  expect(Object.keys(single.body).sort()).toEqual([...fields, "last_used_ips"].sort());
  const [listed] = (await world.get("/personal_access_tokens?search=ci")).body;
  expect(Object.keys(listed).sort()).toEqual([...fields].sort());
  expect(JSON.stringify(world.store.of(accessTokens).get(body.id))).not.toContain(body.token);
  expect((await world.call("GET", "/user", { token: body.token })).body.username).toBe("ann");
});

for (const [json, error] of [
  [{}, "name is missing, scopes is missing"],
  [{ scopes: ["api"] }, "name is missing"],
  [{ name: "x" }, "scopes is missing"],
  [{ name: "x", scopes: ["everything"] }, "scopes does not have a valid value"],
  [{ name: "x", scopes: ["api", "API"] }, "scopes does not have a valid value"],
  [{ name: "x", scopes: "api,nothing" }, "scopes does not have a valid value"],
  [{ name: "x", scopes: ["api"], expires_at: "soon" }, "expires_at is invalid"],
  [{ name: "x", scopes: ["api"], expires_at: "2025-02-30" }, "expires_at is invalid"],
  [{ name: {}, scopes: ["api"] }, "name is invalid"],
] as const) {
  test(`${JSON.stringify(json)} is refused: ${error}`, async () => {
    const { status, body } = await createFor(ann.id, json);
    expect([status, body.error]).toEqual([400, error]);
  });
}

for (const [json, message] of [
  [{ name: "x", scopes: [] }, "Scopes can't be blank"],
  [{ name: " ", scopes: ["api"] }, "Name can't be blank"],
  [
    { name: "x", scopes: ["api"], expires_at: world.clock.day(366) },
    `Expires at must be before ${world.clock.day(365)}`,
  ],
  [{ name: "x", scopes: ["api"], expires_at: "9999-12-31" }, `Expires at must be before ${world.clock.day(365)}`],
  [{ name: "x", scopes: ["sudo"] }, "Scopes can only contain available scopes"],
  [{ name: "x", scopes: ["api", "admin_mode"] }, "Scopes can only contain available scopes"],
  [{ name: "x".repeat(256), scopes: ["api"] }, "Name is too long (maximum is 255 characters)"],
  [{ name: "x", scopes: ["api"], description: "x".repeat(256) }, "Description is too long (maximum is 255 characters)"],
] as const) {
  test(`${JSON.stringify(json).slice(0, 60)} is invalid: ${message}`, async () => {
    const before = world.events().length;
    const { status, body } = await createFor(ann.id, json);
    expect([status, body]).toEqual([422, { message }]);
    expect(world.events()).toHaveLength(before);
  });
}

test("scopes may be a text with commas, and are stored once", async () => {
  const { body } = await createFor(ann.id, { name: "x", scopes: "api, read_user,api" });
  expect(body.scopes).toEqual(["api", "read_user"]);
});

for (const scope of scopes) {
  test(`an administrator may have the scope ${scope}`, async () => {
    expect((await createFor(boss.id, { name: "x", scopes: [scope] })).body.scopes).toEqual([scope]);
  });
}

for (const [given, expected] of [
  [{}, 365],
  [{ expires_at: null }, 365],
  [{ expires_at: "" }, 365],
  [{ expires_at: world.clock.day(365) }, 365],
  [{ expires_at: world.clock.day(1) }, 1],
  [{ expires_at: world.clock.day(0) }, 0],
  [{ expires_at: world.clock.day(-30) }, -30],
] as const) {
  test(`expires_at ${JSON.stringify(given)} is in ${expected} days, ${expected > 0 ? "active" : "inactive"}`, async () => {
    const { status, body } = await createFor(ann.id, { name: "x", scopes: ["api"], ...given });
    expect([status, body.expires_at, body.active]).toEqual([201, world.clock.day(expected), expected > 0]);
  });
}

test("the role is checked before the parameters, the parameters before the user", async () => {
  expect((await world.call("POST", `/users/${ann.id}/personal_access_tokens`, { json: {} })).status).toBe(401);
  for (const id of [ann.id, 9999]) {
    const { status, body } = await createFor(id, {}, ann.token);
    expect([status, body]).toEqual([403, { message: "403 Forbidden" }]);
  }
  expect((await createFor(9999, {})).status).toBe(400);
  expect((await createFor(9999, { name: "x", scopes: ["api"] })).body).toEqual({ message: "404 User Not Found" });
  expect((await createFor("abc", {})).body).toEqual({ error: "404 Not Found" });
});

test("creation and revocation are audited", async () => {
  const before = world.events().length;
  const { body } = await createFor(ann.id, { name: "audited", scopes: ["api"] });
  await world.call("DELETE", `/personal_access_tokens/${body.id}`, { token: ann.token });
  await world.call("DELETE", `/personal_access_tokens/${body.id}`, { token: rootToken });
  const events = world.events(before);
  expect(events.map(({ event_name, author_id }) => [event_name, author_id])).toEqual([
    ["personal_access_token_created", 1],
    ["personal_access_token_revoked", ann.id],
  ]);
  for (const { entity_type, entity_id, details } of events) {
    expect([entity_type, entity_id]).toEqual(["User", ann.id]);
    expect(details).toMatchObject({ target_id: body.id, target_details: "audited", entity_path: "ann" });
    expect(JSON.stringify(details)).not.toContain(body.token);
  }
});

// Creation for oneself

test("a user creates a token with a small scope, valid until tomorrow", async () => {
  const { status, body } = await createOwn({ name: "mine", scopes: ["k8s_proxy", "self_rotate"] });
  expect(status).toBe(201);
  expect([body.user_id, body.scopes, body.expires_at]).toEqual([
    ann.id,
    ["k8s_proxy", "self_rotate"],
    world.clock.day(1),
  ]);
  expect((await world.call("GET", "/personal_access_tokens/self", { token: body.token })).body.id).toBe(body.id);
});

test("users cannot choose another scope for themselves, not even administrators", async () => {
  for (const scope of scopes.filter((each) => each !== "k8s_proxy" && each !== "self_rotate")) {
    for (const token of [ann.token, rootToken]) {
      const { status, body } = await createOwn({ name: "x", scopes: [scope] }, token);
      expect([status, body.error]).toEqual([400, "scopes does not have a valid value"]);
    }
  }
});

test("the same rules apply to a user's own tokens", async () => {
  expect((await createOwn({})).body.error).toBe("name is missing, scopes is missing");
  expect((await createOwn({ name: "x", scopes: [] })).body).toEqual({ message: "Scopes can't be blank" });
  const late = await createOwn({ name: "x", scopes: ["k8s_proxy"], expires_at: world.clock.day(366) });
  expect([late.status, late.body]).toEqual([422, { message: `Expires at must be before ${world.clock.day(365)}` }]);
  expect((await world.call("POST", "/user/personal_access_tokens", { json: {} })).status).toBe(401);
  const narrow = await world.token(ann.id, { scopes: ["read_api"] });
  expect(insufficient((await createOwn({}, narrow.token)).body)).toBe(true);
});

// Lists

test("administrators see all tokens, other users their own, by ascending id", async () => {
  const all = await world.get("/personal_access_tokens?per_page=100");
  expect(ids(all)).toEqual(ids(all).toSorted((a: number, b: number) => a - b));
  expect(new Set(all.body.map((token: Json) => token.user_id)).size).toBeGreaterThan(2);
  const own = await world.call("GET", "/personal_access_tokens?per_page=100", { token: bob.token });
  expect(own.body.every((token: Json) => token.user_id === bob.id)).toBe(true);
  expect((await world.call("GET", "/personal_access_tokens")).status).toBe(401);
});

test("user_id filters: another user's is refused, an unknown or blank one is 404 for administrators", async () => {
  const list = async (query: string, token: string) => {
    const { status, body } = await world.call("GET", `/personal_access_tokens?${query}`, { token });
    return status === 200 ? [...new Set(body.map((each: Json) => each.user_id))] : [status, body];
  };
  expect(await list(`user_id=${ann.id}`, rootToken)).toEqual([ann.id]);
  expect(await list("user_id=9999", rootToken)).toEqual([404, { message: "404 Not Found" }]);
  expect(await list("user_id=", rootToken)).toEqual([404, { message: "404 Not Found" }]);
  expect(await list(`user_id=${bob.id}`, bob.token)).toEqual([bob.id]);
  for (const id of [ann.id, 9999]) {
    expect(await list(`user_id=${id}`, bob.token)).toEqual([401, { message: "401 Unauthorized" }]);
  }
  expect(await list("user_id=", bob.token)).toEqual([bob.id]);
});

test("impersonation tokens are shown to administrators only", async () => {
  const { id } = await world.token(bob.id, { name: "hidden" });
  makeImpersonation(id);
  expect(ids(await world.get("/personal_access_tokens?search=hidden"))).toEqual([id]);
  expect(ids(await world.call("GET", "/personal_access_tokens", { token: bob.token }))).not.toContain(id);
  expect((await world.call("GET", `/personal_access_tokens/${id}`, { token: bob.token })).status).toBe(401);
  const { status, body } = await world.call("DELETE", `/personal_access_tokens/${id}`, { token: bob.token });
  expect([status, body]).toEqual([400, { message: "400 Bad request" }]);
  expect((await world.call("DELETE", `/personal_access_tokens/${id}`, { token: rootToken })).status).toBe(204);
});

const carl = await world.user({ username: "carl" });
const start = world.clock.time();
const alive = await world.token(carl.id, { name: "Alpha alive", expires_at: world.clock.day(30) });
world.clock.advance(60_000);
const dead = await world.token(carl.id, { name: "beta dead" });
await world.call("DELETE", `/personal_access_tokens/${dead.id}`, { token: rootToken });
world.clock.advance(60_000);
const past = await world.token(carl.id, { name: "gamma past", expires_at: world.clock.day(-5) });
const today = await world.token(carl.id, { name: "delta today", expires_at: world.clock.day(0) });
const [first] = (await world.get(`/personal_access_tokens?user_id=${carl.id}`)).body;
const usedAt = world.clock.time();
await world.call("GET", "/user", { token: alive.token });

const named: Record<string, number> = {
  test: first.id,
  alive: alive.id,
  dead: dead.id,
  past: past.id,
  today: today.id,
};
const minute = (offset: number) => new Date(Date.parse(start) + offset * 60_000).toISOString();

for (const [query, expected] of [
  ["", ["test", "alive", "dead", "past", "today"]],
  ["state=active", ["test", "alive"]],
  ["state=inactive", ["dead", "past", "today"]],
  ["revoked=true", ["dead"]],
  ["revoked=false", ["test", "alive", "past", "today"]],
  ["state=inactive&revoked=false", ["past", "today"]],
  ["search=A", ["alive", "dead", "past", "today"]],
  ["search=alPHA", ["alive"]],
  ["search=a%20d", ["dead"]],
  ["search=nothing", []],
  ["search=", ["test", "alive", "dead", "past", "today"]],
  [`created_after=${minute(1)}`, ["dead", "past", "today"]],
  [`created_before=${minute(1)}`, ["test", "alive", "dead"]],
  [`created_after=${minute(1)}&created_before=${minute(1)}`, ["dead"]],
  [`last_used_after=${usedAt}`, ["alive"]],
  [`last_used_before=${usedAt}`, ["alive"]],
  [`last_used_after=${minute(99)}`, []],
  [`last_used_before=${minute(-1)}`, []],
  [`expires_before=${world.clock.day(0)}`, ["past", "today"]],
  [`expires_after=${world.clock.day(0)}&expires_before=${world.clock.day(30)}`, ["alive", "today"]],
  [`expires_after=${world.clock.day(31)}`, ["test", "dead"]],
  ["sort=name_asc", ["alive", "dead", "today", "past", "test"]],
  ["sort=name_desc", ["test", "past", "today", "dead", "alive"]],
  ["sort=created_desc", ["today", "past", "dead", "alive", "test"]],
  ["sort=expires_asc&revoked=false", ["past", "today", "alive", "test"]],
] as const) {
  test(`?${query} lists [${expected}]`, async () => {
    const answer = await world.get(`/personal_access_tokens?user_id=${carl.id}&per_page=100&${query}`);
    expect(ids(answer)).toEqual(expected.map((name) => named[name]));
  });
}

test("a token without an expiry is after every day", async () => {
  const list = async (query: string) => ids(await world.get(`/personal_access_tokens?user_id=1&${query}`));
  expect(await list("state=active")).toEqual([1]);
  expect(await list("expires_before=9999-12-31")).toEqual([]);
});

for (const [query, error] of [
  ["state=dead", "state does not have a valid value"],
  ["revoked=maybe", "revoked is invalid"],
  ["created_before=x", "created_before is invalid"],
  ["last_used_after=x", "last_used_after is invalid"],
  ["expires_after=x", "expires_after is invalid"],
  ["user_id=abc", "user_id is invalid"],
  ["sort=up", "sort does not have a valid value"],
  ["search[]=x", "search is invalid"],
] as const) {
  test(`?${query} is refused: ${error}`, async () => {
    const { status, body } = await world.get(`/personal_access_tokens?${query}`);
    expect([status, body.error]).toEqual([400, error]);
  });
}

// Single tokens

test("users read their own tokens, administrators all; other users' are answered as unknown ones", async () => {
  const get = async (id: number | string, token: string) => {
    const { status, body } = await world.call("GET", `/personal_access_tokens/${id}`, { token });
    return status === 200 ? body.id : [status, body];
  };
  expect(await get(alive.id, alive.token)).toBe(alive.id);
  expect(await get(alive.id, rootToken)).toBe(alive.id);
  for (const id of [alive.id, 1, 9999, 0]) {
    expect(await get(id, bob.token)).toEqual([401, { message: "401 Unauthorized" }]);
  }
  expect(await get(9999, rootToken)).toEqual([404, { message: "404 Not Found" }]);
  expect(await get("abc", rootToken)).toEqual([404, { error: "404 Not Found" }]);
});

test("self is the token of the request", async () => {
  const { body } = await world.call("GET", "/personal_access_tokens/self", { token: alive.token });
  expect([body.id, body.last_used_ips]).toEqual([alive.id, ["127.0.0.1"]]);
});

// Revocation

test("owners and administrators revoke, and the token is dead at once", async () => {
  for (const by of [bob.token, rootToken]) {
    const { id, token } = await world.token(bob.id);
    const { status, text } = await world.call("DELETE", `/personal_access_tokens/${id}`, { token: by });
    expect([status, text]).toEqual([204, ""]);
    expect((await world.call("GET", "/user", { token })).status).toBe(401);
    expect((await world.get(`/personal_access_tokens/${id}`)).body).toMatchObject({ revoked: true, active: false });
  }
});

test("another user's token is refused, an unknown one is 404", async () => {
  const remove = async (id: number | string, token?: string) => {
    const { status, body } = await world.call("DELETE", `/personal_access_tokens/${id}`, { token });
    return [status, body];
  };
  expect(await remove(alive.id, bob.token)).toEqual([400, { message: "400 Bad request" }]);
  expect(await remove(9999, bob.token)).toEqual([404, { message: "404 Not Found" }]);
  expect(await remove(9999, rootToken)).toEqual([404, { message: "404 Not Found" }]);
  expect(await remove(alive.id)).toEqual([401, { message: "401 Unauthorized" }]);
  expect((await world.call("GET", "/user", { token: alive.token })).status).toBe(200);
});

test("revoking twice is no error", async () => {
  const { id } = await world.token(bob.id);
  for (let time = 0; time < 2; time += 1) {
    expect((await world.call("DELETE", `/personal_access_tokens/${id}`, { token: bob.token })).status).toBe(204);
  }
});

test("self revokes the token of the request", async () => {
  const { token } = await world.token(bob.id);
  expect((await world.call("DELETE", "/personal_access_tokens/self", { token })).status).toBe(204);
  const { status, body } = await world.call("GET", "/personal_access_tokens/self", { token });
  expect([status, body.error]).toEqual([401, "invalid_token"]);
});

test("an impersonation token may not revoke itself, unless its user is an administrator", async () => {
  for (const [user, status] of [
    [bob, 400],
    [boss, 204],
  ] as const) {
    const { id, token } = await world.token(user.id);
    makeImpersonation(id);
    expect((await world.call("DELETE", "/personal_access_tokens/self", { token })).status).toBe(status);
  }
});

test("a token revokes itself only if it has not changed since its holder's read", async () => {
  const { token } = await world.token(ann.id);
  const headers = { "If-Unmodified-Since": "Mon, 01 Jan 2024 00:00:00 GMT" };
  expect((await world.call("DELETE", "/personal_access_tokens/self", { token, headers })).status).toBe(412);
  expect((await world.call("DELETE", "/personal_access_tokens/self", { token })).status).toBe(204);
});

test("a token that is revoked while a password is hashed creates no user", async () => {
  const { token } = await world.token(boss.id);
  const json = (n: number) => ({
    name: `Late ${n}`,
    username: `late${n}`,
    email: `late${n}@people.example`,
    password: "correct horse battery",
  });
  const creations = Array.from({ length: 12 }, (_, n) => world.call("POST", "/users", { token, json: json(n) }));
  const { status } = await world.call("DELETE", "/personal_access_tokens/self", { token });
  expect(status).toBe(204);
  const usersAfterRevoke = world.store.of(users).size;
  const statuses = (await Promise.all(creations)).map((answer) => answer.status);
  expect(statuses.filter((each) => each === 401).length).toBeGreaterThan(0);
  expect(world.store.of(users).size).toBe(usersAfterRevoke);
});
