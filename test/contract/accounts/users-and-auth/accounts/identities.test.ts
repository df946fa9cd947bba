import { expect, test } from "bun:test";
import { rootToken, startWorld } from "../../../../support/fixtures/world.ts";

const world = await startWorld();
const plain = await world.user();
const admin = await world.user({ admin: true });

const dropIdentity = (id: number, provider: string, token: string | undefined = rootToken, headers = {}) =>
  world.call("DELETE", `/users/${id}/identities/${provider}`, { token, headers });
const disable = (id: number | string, token: string | undefined = rootToken) =>
  world.call("PATCH", `/users/${id}/disable_two_factor`, { token });

test("an administrator deletes one identity and leaves the others", async () => {
  const { id } = await world.user({ provider: "saml", extern_uid: "x" });
  await world.call("PUT", `/users/${id}`, { token: rootToken, json: { provider: "ldapmain", extern_uid: "y" } });
  const { status, text } = await dropIdentity(id, "saml");
  expect([status, text]).toEqual([204, ""]);
  const { body } = await world.get(`/users/${id}`);
  expect(body.identities).toEqual([{ provider: "ldapmain", extern_uid: "y", saml_provider_id: null }]);
  expect((await world.get("/users", { query: { provider: "saml", extern_uid: "x" } })).body).toEqual([]);
  const again = await dropIdentity(id, "saml");
  expect([again.status, again.body]).toEqual([404, { message: "404 Identity Not Found" }]);
});

test("a provider with special characters in its name is found by its encoded path", async () => {
  const { id } = await world.user({ provider: "open id/connect", extern_uid: "x" });
  expect((await dropIdentity(id, "open%20id")).status).toBe(404);
  expect((await dropIdentity(id, "open%20id%2Fconnect")).status).toBe(204);
});

test("administrators delete identities of existing users", async () => {
  expect((await world.call("DELETE", `/users/${plain.id}/identities/saml`)).status).toBe(401);
  const other = await dropIdentity(999_999, "saml", plain.token);
  expect([other.status, other.body]).toEqual([403, { message: "403 Forbidden" }]);
  const unknown = await dropIdentity(999_999, "saml");
  expect([unknown.status, unknown.body]).toEqual([404, { message: "404 User Not Found" }]);
});

test("an identity of a user who was changed since the caller's read is not deleted", async () => {
  const { id } = await world.user({ provider: "saml", extern_uid: "z" });
  const since = (offsetMs: number) => ({ "If-Unmodified-Since": world.clock.time(offsetMs) });
  expect((await dropIdentity(id, "saml", rootToken, since(-1))).status).toBe(412);
  expect((await dropIdentity(id, "saml", rootToken, since(0))).status).toBe(204);
});

test("an administrator disables the second factor of a user who has one", async () => {
  world.alter(plain.id, { two_factor_enabled: true });
  const { status, text } = await disable(plain.id);
  expect([status, text]).toEqual([204, ""]);
  expect((await world.get(`/users/${plain.id}`)).body.two_factor_enabled).toBe(false);
});

test("errors come in this order: missing right, unknown user, administrator, user without a second factor", async () => {
  world.alter(admin.id, { two_factor_enabled: true });
  expect((await world.call("PATCH", `/users/${plain.id}/disable_two_factor`)).status).toBe(401);
  const forbidden = await disable(999_999, plain.token);
  expect([forbidden.status, forbidden.body]).toEqual([403, { message: "403 Forbidden" }]);
  const unknown = await disable(999_999);
  expect([unknown.status, unknown.body]).toEqual([404, { message: "404 User Not Found" }]);
  expect((await disable("ASDF")).status).toBe(404);
  const text =
    "403 Forbidden - Two-factor authentication for admins cannot be disabled via the API. Use the Rails console";
  for (const id of [admin.id, 1]) {
    const refused = await disable(id);
    expect([refused.status, refused.body]).toEqual([403, { message: text }]);
  }
  const without = await disable(plain.id);
  const message = "400 Bad request - Two-factor authentication is not enabled for this user";
  expect([without.status, without.body]).toEqual([400, { message }]);
});
