import { expect, test } from "bun:test";
import { rootToken, startWorld } from "../../../../support/fixtures/world.ts";

const world = await startWorld();
const ann = await world.user({ username: "ann" });
const bob = await world.user({ username: "bob" });

const rotate = (id: number | "self", token: string, json: unknown = {}) =>
  world.call("POST", `/personal_access_tokens/${id}/rotate`, { token, json });
const isAlive = async (token: string) =>
  (await world.call("GET", "/personal_access_tokens/self", { token })).status === 200;

test("a rotated token keeps name, description and scopes, expires in a week, and the old one stops working", async () => {
  const old = await world.token(ann.id, { name: "ci", description: "for ci", scopes: ["api", "read_user"] });
  const { status, body } = await rotate(old.id, ann.token);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    name: "ci",
    description: "for ci",
    scopes: ["api", "read_user"],
    user_id: ann.id,
    active: true,
    revoked: false,
    expires_at: world.clock.day(7),
  });
  expect(body.id).not.toBe(old.id);
  expect(await isAlive(body.token)).toBe(true);
  expect((await world.call("GET", "/user", { token: old.token })).body.error).toBe("invalid_token");
});

test("the caller may set an expiry, up to a year from now", async () => {
  const first = await world.token(ann.id);
  const second = await rotate(first.id, ann.token, { expires_at: world.clock.day(365) });
  expect(second.body.expires_at).toBe(world.clock.day(365));
  const third = await rotate(second.body.id, ann.token, { expires_at: world.clock.day(366) });
  expect(third).toMatchObject({
    status: 400,
    body: { message: `400 Bad request - Expires at must be before ${world.clock.day(365)}` },
  });
  expect(await isAlive(second.body.token)).toBe(true);
});

test("other users' and unknown tokens are 401, for administrators unknown ones are 404, revoked ones 400", async () => {
  const { id } = await world.token(bob.id);
  expect((await rotate(id, ann.token)).status).toBe(401);
  expect((await rotate(987_654, ann.token)).status).toBe(401);
  expect((await rotate(987_654, rootToken)).status).toBe(404);
  expect((await rotate(id, rootToken)).status).toBe(200);
  expect((await rotate(id, rootToken)).status).toBe(400);
});

test("a token rotates itself with scope api or self_rotate, with no other", async () => {
  for (const scope of ["api", "self_rotate"]) {
    const { token } = await world.token(ann.id, { scopes: [scope] });
    const { status, body } = await rotate("self", token);
    expect(status).toBe(200);
    expect(await isAlive(body.token)).toBe(true);
    expect(await isAlive(token)).toBe(false);
  }
  const { token } = await world.token(ann.id, { scopes: ["read_api"] });
  expect((await rotate("self", token)).body).toMatchObject({ error: "insufficient_scope", scope: "api self_rotate" });
});

test("a reused rotated token revokes the newest token of its family", async () => {
  const first = (await world.token(ann.id)).token;
  const second = (await rotate("self", first)).body.token;
  const third = (await rotate("self", second)).body;
  const before = world.events().length;
  const { status, body } = await rotate("self", first);
  expect({ status, error: body.error }).toEqual({ status: 401, error: "invalid_token" });
  expect(await isAlive(third.token)).toBe(false);
  expect(world.events(before)).toMatchObject([
    { event_name: "personal_access_token_revoked", author_id: -1, entity_id: ann.id, details: { target_id: third.id } },
  ]);
});

test("other operations only refuse a rotated token, and tokens of other families keep working", async () => {
  const first = (await world.token(ann.id)).token;
  const second = (await rotate("self", first)).body.token;
  const other = (await world.token(ann.id)).token;
  expect((await world.call("GET", "/user", { token: first })).status).toBe(401);
  expect(await isAlive(second)).toBe(true);
  await rotate("self", first);
  expect(await isAlive(second)).toBe(false);
  expect(await isAlive(other)).toBe(true);
});

test("a rotation writes the events of the revocation and of the creation", async () => {
  const old = await world.token(ann.id);
  const before = world.events().length;
  const { body } = await rotate(old.id, ann.token);
  expect(world.events(before).map((event) => [event.event_name, event.details.target_id, event.author_id])).toEqual([
    ["personal_access_token_revoked", old.id, ann.id],
    ["personal_access_token_created", body.id, ann.id],
  ]);
});

test("with sudo, an administrator's token is not rotated for the impersonated user, nor without its scope", async () => {
  expect(
    (await world.call("POST", `/personal_access_tokens/self/rotate?sudo=${ann.id}`, { token: rootToken })).status,
  ).toBe(401);
  const { token } = await world.token(1, { scopes: ["sudo"] });
  const own = await world.call("POST", "/personal_access_tokens/self/rotate?sudo=1", { token });
  expect(own).toMatchObject({ status: 403, body: { error: "insufficient_scope" } });
  expect(await isAlive(rootToken)).toBe(true);
});
