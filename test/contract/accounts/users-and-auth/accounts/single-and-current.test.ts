import { expect, test } from "bun:test";
import { rootToken, startWorld } from "../../../../support/fixtures/world.ts";

const world = await startWorld();
const ann = await world.user();
const bob = await world.user();

test("anonymous callers get no single user", async () => {
  for (const id of [1, 9999]) {
    const { status, body } = await world.call("GET", `/users/${id}`);
    expect([status, body]).toEqual([401, { message: "401 Unauthorized" }]);
  }
});

test("an unknown user is not found", async () => {
  for (const token of [rootToken, ann.token]) {
    const { status, body } = await world.call("GET", "/users/9999", { token });
    expect([status, body]).toEqual([404, { message: "404 User Not Found" }]);
  }
});

test("a user's own id gives no more fields than other users see; GET /user does", async () => {
  const single = (await world.call("GET", `/users/${ann.id}`, { token: ann.token })).body;
  expect(single).not.toHaveProperty("email");
  const current = (await world.call("GET", "/user", { token: ann.token })).body;
  expect([current.id, current.email]).toEqual([ann.id, ann.email]);
});

test("the current user is the token's", async () => {
  expect((await world.call("GET", "/user", { token: bob.token })).body.id).toBe(bob.id);
  expect((await world.call("GET", "/user", { token: rootToken })).body.username).toBe("root");
});

test("the id in the path wins over one in the query", async () => {
  const { body } = await world.get(`/users/${ann.id}`, { query: { id: bob.id, user_id: bob.id } });
  expect(body.id).toBe(ann.id);
});

test("blocked and banned users can be read by id", async () => {
  const user = await world.user();
  for (const state of ["blocked", "banned", "deactivated", "ldap_blocked", "blocked_pending_approval"] as const) {
    world.alter(user.id, { state });
    const { status, body } = await world.call("GET", `/users/${user.id}`, { token: ann.token });
    expect([status, body.state]).toEqual([200, state]);
  }
});
