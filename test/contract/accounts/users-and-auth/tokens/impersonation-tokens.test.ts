import { describe, expect, test } from "bun:test";
import { type Json, rootToken, startWorld } from "../../../../support/fixtures/world.ts";

const world = await startWorld();
const ann = await world.user();
const of = (userId: number, id: number | "" = "") =>
  `/users/${userId}/impersonation_tokens${id === "" ? "" : `/${id}`}`;
const make = (json: Json = { name: "support" }, userId = ann.id) =>
  world.call("POST", of(userId), { token: rootToken, json: { scopes: ["api"], ...json } });
const remove = (userId: number, id: number, headers = {}) =>
  world.call("DELETE", of(userId, id), { token: rootToken, headers });
const idsOf = (items: Json[]): number[] => items.map(({ id }) => id);

test("an impersonation token expires in a year, is shown once, and acts as the user", async () => {
  const { status, body } = await make();
  expect(status).toBe(201);
  const { token, ...record } = body;
  expect(record).toEqual({
    id: record.id,
    name: "support",
    revoked: false,
    created_at: world.clock.time(),
    description: null,
    scopes: ["api"],
    user_id: ann.id,
    last_used_at: null,
    active: true,
    expires_at: world.clock.day(365),
    impersonation: true,
  });
  expect(token.length).toBeGreaterThanOrEqual(20);
  expect((await world.call("GET", "/user", { token })).body.id).toBe(ann.id);
  const read = await world.get(of(ann.id, record.id));
  expect(read.body).toEqual({ ...record, last_used_at: world.clock.time() });
});

test("a creation takes scopes, description and expiry, also a past one", async () => {
  const json = { name: "old", scopes: ["read_user", "read_api"], description: "why", expires_at: "2025-01-01" };
  const { body } = await make(json);
  expect(body).toMatchObject({ ...json, active: false });
  expect((await world.call("GET", "/user", { token: body.token })).status).toBe(401);
});

test("lists hold impersonation tokens only, by state, in offset pages", async () => {
  const { id: userId } = await world.user();
  const active = (await make({ name: "active" }, userId)).body;
  const expired = (await make({ name: "expired", expires_at: "2025-01-01" }, userId)).body;
  const revoked = (await make({ name: "revoked" }, userId)).body;
  await remove(userId, revoked.id);
  const list = async (query = {}) => idsOf((await world.get(of(userId), { query })).body);
  expect(await list()).toEqual([active.id, expired.id, revoked.id]);
  expect(await list({ state: "all" })).toEqual([active.id, expired.id, revoked.id]);
  expect(await list({ state: "active" })).toEqual([active.id]);
  expect(await list({ state: "inactive" })).toEqual([expired.id, revoked.id]);
  const { headers, text } = await world.get(of(userId), { query: { per_page: 2 } });
  expect([headers.get("x-total"), headers.get("x-next-page")]).toEqual(["3", "2"]);
  expect(text).not.toContain('"token"');
});

test("administrators see them among personal tokens, their users never do", async () => {
  const { id } = (await make()).body;
  const query = { user_id: ann.id, per_page: 100 };
  expect(idsOf((await world.get("/personal_access_tokens", { query })).body)).toContain(id);
  const own = await world.call("GET", "/personal_access_tokens", { token: ann.token, query });
  expect(idsOf(own.body)).not.toContain(id);
  expect((await world.call("GET", `/personal_access_tokens/${id}`, { token: ann.token })).status).toBe(401);
});

describe("revoking", () => {
  test("disables the token at once and can be repeated", async () => {
    const { id, token } = (await make()).body;
    for (const _ of [1, 2]) expect((await remove(ann.id, id)).status).toBe(204);
    expect((await world.get(of(ann.id, id))).body).toMatchObject({ revoked: true, active: false });
    expect((await world.call("GET", "/user", { token })).status).toBe(401);
  });

  test("is not allowed to the token's user", async () => {
    const { id, token } = (await make()).body;
    for (const path of [`/personal_access_tokens/${id}`, "/personal_access_tokens/self"]) {
      expect((await world.call("DELETE", path, { token })).status).toBe(400);
    }
    expect((await world.call("DELETE", `/personal_access_tokens/${id}`, { token: ann.token })).status).toBe(400);
    expect((await world.get(of(ann.id, id))).body.revoked).toBe(false);
  });

  test("is allowed to an administrator for a token that acts as an administrator", async () => {
    const boss = await world.user({ admin: true });
    const { token } = (await make({ name: "boss" }, boss.id)).body;
    expect((await world.call("DELETE", "/personal_access_tokens/self", { token })).status).toBe(204);
  });

  test("is 412 for a token that was changed since", async () => {
    const { id } = (await make()).body;
    const before = new Date(world.clock.now() - 60_000).toUTCString();
    expect((await remove(ann.id, id, { "If-Unmodified-Since": before })).status).toBe(412);
    expect((await remove(ann.id, id, { "If-Unmodified-Since": world.clock.time() })).status).toBe(204);
  });
});

describe("the API refuses", () => {
  test("all but administrators, before any other check", async () => {
    for (const [method, path] of [
      ["GET", of(9999)],
      ["POST", of(9999)],
      ["GET", of(9999, 1)],
      ["DELETE", of(9999, 1)],
    ] as const) {
      expect((await world.call(method, path)).status).toBe(401);
      const { status, body } = await world.call(method, path, { token: ann.token });
      expect({ method, status, body }).toEqual({ method, status: 403, body: { message: "403 Forbidden" } });
    }
  });

  test("an unknown user, an unknown token, another user's, and a personal one", async () => {
    const { id } = (await make()).body;
    const personal = await world.token(ann.id);
    const stranger = await world.user();
    for (const path of [of(ann.id, 99_999), of(stranger.id, id), of(ann.id, personal.id)]) {
      for (const method of ["GET", "DELETE"]) {
        const { status, body } = await world.call(method, path, { token: rootToken });
        expect([status, body]).toEqual([404, { message: "404 Impersonation Token Not Found" }]);
      }
    }
    for (const [method, path] of [
      ["GET", of(9999)],
      ["POST", of(9999)],
      ["GET", of(9999, id)],
      ["DELETE", of(9999, id)],
    ] as const) {
      const options = method === "POST" ? { json: { name: "x" } } : {};
      const { status, body } = await world.call(method, path, { token: rootToken, ...options });
      expect([status, body]).toEqual([404, { message: "404 User Not Found" }]);
    }
  });

  test.each([
    [{}, 400, "name is missing"],
    [{ name: "x", scopes: ["api", "nothing"] }, 400, { scopes: ["can only contain available scopes"] }],
    [{ name: "x", expires_at: "soon" }, 400, "expires_at is invalid"],
    [{ name: "x", expires_at: world.clock.day(366) }, 400, { expires_at: [`must be before ${world.clock.day(365)}`] }],
    [{ name: "x", scopes: undefined }, 400, { scopes: ["can't be blank"] }],
    [{ name: "x", scopes: [] }, 400, { scopes: ["can't be blank"] }],
    [{ name: " " }, 400, { name: ["can't be blank"] }],
    [{ name: "x".repeat(256) }, 400, { name: ["is too long (maximum is 255 characters)"] }],
    [{ name: "x", scopes: ["sudo"] }, 400, { scopes: ["can only contain available scopes"] }],
  ])("%j", async (json, status, text) => {
    const answer = await make(json);
    expect([answer.status, answer.body.error ?? answer.body.message]).toEqual([status, text]);
  });

  test("an unknown state", async () => {
    const { status, body } = await world.get(of(ann.id), { query: { state: "dead" } });
    expect([status, body.error]).toEqual([400, "state does not have a valid value"]);
  });
});

test("creating and revoking write audit events about the user", async () => {
  const from = world.events().length;
  const { id } = (await make()).body;
  await remove(ann.id, id);
  const events = world.events(from);
  expect(events.map(({ event_name }) => event_name)).toEqual([
    "personal_access_token_created",
    "personal_access_token_revoked",
  ]);
  for (const event of events) {
    expect(event).toMatchObject({ author_id: 1, entity_type: "User", entity_id: ann.id, details: { target_id: id } });
  }
});
