import { describe, expect, test } from "bun:test";
import { accessTokens } from "../../../../../src/modules/accounts/access-tokens/records.ts";
import { userPreferences } from "../../../../../src/modules/accounts/preferences/records.ts";
import { userStatuses } from "../../../../../src/modules/accounts/user-status/records.ts";
import { users } from "../../../../../src/modules/core/users/records.ts";
import { namespaces } from "../../../../../src/modules/groups-and-projects/namespaces-api/records.ts";
import { type CallOptions, rootToken, startWorld } from "../../../../support/fixtures/world.ts";

const world = await startWorld();
const plain = await world.user();

const remove = (id: number | string, options: CallOptions = {}) =>
  world.call("DELETE", `/users/${id}`, { token: rootToken, ...options });

test("only administrators delete users; the shape comes before that, existence after", async () => {
  expect((await remove(plain.id, { token: undefined })).status).toBe(401);
  expect((await remove(999_999, { token: plain.token, query: { hard_delete: "maybe" } })).status).toBe(400);
  for (const id of [plain.id, 1, 999_999]) {
    const { status, body } = await remove(id, { token: plain.token });
    expect([status, body]).toEqual([403, { message: "403 Forbidden" }]);
  }
  const { status, body } = await remove(999_999);
  expect([status, body]).toEqual([404, { message: "404 User Not Found" }]);
  expect((await remove("ASDF")).status).toBe(404);
});

for (const [name, options] of [
  ["soft", {}],
  ["hard, by query", { query: { hard_delete: true } }],
  ["hard, by body", { json: { hard_delete: true } }],
] as const) {
  test(`a ${name} deletion removes all: user, namespace, tokens, addresses`, async () => {
    const before = [users, namespaces, accessTokens].map((each) => world.store.of(each as typeof users).size);
    const user = await world.user();
    await world.token(user.id);
    const { status, text } = await remove(user.id, options);
    expect([status, text]).toEqual([204, ""]);
    expect([users, namespaces, accessTokens].map((each) => world.store.of(each as typeof users).size)).toEqual(before);
    for (const token of [rootToken, plain.token]) {
      expect((await world.call("GET", `/users/${user.id}`, { token })).status).toBe(404);
    }
    expect((await world.call("GET", "/user", { token: user.token })).status).toBe(401);
    expect((await remove(user.id, options)).status).toBe(404);
  });
}

test("name, address and identity are free again, and the id is never reused", async () => {
  const identity = { provider: "saml", extern_uid: "free again" };
  const first = await world.user({ username: "phoenix", email: "phoenix@people.example", ...identity });
  await remove(first.id);
  const second = await world.user({ username: "phoenix", email: "phoenix@people.example", ...identity });
  expect(second.id).toBeGreaterThan(first.id);
});

test("a deletion is audited, under the name that the user had", async () => {
  const user = await world.user({ name: "Gone Girl" });
  const before = world.events().length;
  await remove(user.id);
  const details = {
    remove: "user",
    target_id: user.id,
    target_type: "User",
    target_details: "Gone Girl",
    entity_path: user.username,
    author_name: "Administrator",
  };
  const event = { event_name: "user_destroyed", author_id: 1, entity_id: user.id, entity_type: "User", details };
  expect(world.events(before)).toMatchObject([event]);
  expect(world.events(before)).toHaveLength(1);
});

test("a user who was changed since the caller's read is not deleted", async () => {
  const { id } = await world.user();
  const since = (offsetMs: number) => ({ headers: { "If-Unmodified-Since": world.clock.time(offsetMs) } });
  const { status, body } = await remove(id, since(-1));
  expect([status, body]).toEqual([412, { message: "412 Precondition Failed" }]);
  expect((await world.get(`/users/${id}`)).status).toBe(200);
  expect((await remove(id, since(0))).status).toBe(204);
});

test("the ghost cannot be deleted", async () => {
  const { id } = await world.user();
  world.alter(id, { user_type: "ghost" });
  for (const query of [{}, { hard_delete: true }]) {
    const { status, body } = await remove(id, { query });
    expect([status, body]).toEqual([404, { message: "404 User Not Found" }]);
  }
});

test("users whom the deleted user created are shown without a creator", async () => {
  const maker = await world.user({ admin: true });
  const json = { username: "made", name: "Made", email: "made@people.example", reset_password: true };
  const { body } = await world.call("POST", "/users", { token: maker.token, json });
  expect(body.created_by.id).toBe(maker.id);
  await remove(maker.id);
  expect((await world.get(`/users/${body.id}`)).body.created_by).toBeNull();
  const [listed] = (await world.get("/users", { query: { username: "made" } })).body;
  expect(listed.created_by).toBeNull();
});

test("status, follows in both directions and custom attributes are deleted too", async () => {
  const user = await world.user();
  await world.call("POST", `/users/${user.id}/follow`, { token: plain.token });
  await world.call("POST", `/users/${plain.id}/follow`, { token: user.token });
  const path = `/users/${user.id}/custom_attributes/team`;
  await world.call("PUT", path, { token: rootToken, json: { value: "red" } });
  await world.call("PUT", "/user/status", { token: user.token, json: { message: "away" } });
  await world.call("PUT", "/user/preferences", { token: user.token, json: { show_whitespace_in_diffs: false } });
  await remove(user.id);
  expect([world.store.of(userStatuses).size, world.store.of(userPreferences).size]).toEqual([0, 0]);
  const { followers, following } = (await world.get(`/users/${plain.id}`)).body;
  expect([followers, following]).toEqual([0, 0]);
  expect((await world.get("/users", { query: { "custom_attributes[team]": "red" } })).body).toEqual([]);
});

test("administrators may delete themselves, and lose access at once", async () => {
  const boss = await world.user({ admin: true });
  expect((await remove(boss.id, { token: boss.token })).status).toBe(204);
  expect((await world.call("GET", "/user", { token: boss.token })).status).toBe(401);
});

describe("a user whom slow requests create", () => {
  test("is not stored when the creator is deleted meanwhile", async () => {
    const maker = await world.user({ admin: true });
    const json = { username: "too-late", name: "Late", email: "late@people.example", password: "a fine password" };
    const [made] = await Promise.all([world.call("POST", "/users", { token: maker.token, json }), remove(maker.id)]);
    expect(made.status).toBe(401);
    expect((await world.get("/users", { query: { username: "too-late" } })).body).toEqual([]);
  });
});

describe("a user who wrote more than one transaction removes", () => {
  /** A user with 600 notes in an issue of root's, and 600 notes of root's in an issue of the user's. */
  async function writeMuch() {
    const user = await world.user();
    const json = { name: `much by ${user.username}`, visibility: "public" };
    const { id } = (await world.call("POST", "/projects", { token: rootToken, json })).body;
    const made = [];
    for (const [author, other] of [
      [rootToken, user.token],
      [user.token, rootToken],
    ] as const) {
      const at = `/projects/${id}/issues`;
      const { iid } = (await world.call("POST", at, { token: author, json: { title: "x" } })).body;
      for (let count = 0; count < 600; count += 1) {
        await world.call("POST", `${at}/${iid}/notes`, { token: other, json: { body: `${count}` } });
      }
      made.push(`${at}/${iid}`);
    }
    const [of, by] = made as [string, string];
    const totalOf = async (path: string) => (await world.get(`${path}/notes?per_page=1`)).headers.get("x-total");
    return { user, of, by, totalOf };
  }

  test("softly: everything is the ghost's", async () => {
    const { user, of, by, totalOf } = await writeMuch();
    expect((await remove(user.id)).status).toBe(204);
    expect([await totalOf(of), await totalOf(by)]).toEqual(["600", "600"]);
    const [note] = (await world.get(`${of}/notes?per_page=1&sort=asc`)).body;
    const [ghost] = world.store.of(users).by.user_type.find("ghost");
    expect([note.author.id, (await world.get(by)).body.author.id]).toEqual([ghost, ghost]);
  });

  test("hard: nothing is left", async () => {
    const { user, of, by, totalOf } = await writeMuch();
    expect((await remove(user.id, { query: { hard_delete: true } })).status).toBe(204);
    expect([await totalOf(of), (await world.get(of)).body.user_notes_count]).toEqual(["0", 0]);
    expect((await world.get(by)).status).toBe(404);
  });
});
