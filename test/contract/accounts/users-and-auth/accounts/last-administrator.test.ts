import { beforeAll, expect, test } from "bun:test";
import { rootToken, startWorld } from "../../../../support/fixtures/world.ts";

const world = await startWorld();

const refusal = { message: "403 Forbidden - There must be an active administrator" };
const password = "correct horse battery";

beforeAll(async () => {
  await world.rootPasswordStored();
  // Administrators who cannot act are none.
  for (const state of ["blocked", "ldap_blocked", "banned", "deactivated", "blocked_pending_approval"] as const) {
    world.alter((await world.user({ admin: true })).id, { state });
  }
});

test.each([
  ["demotion", "PUT", "/users/1", { admin: false }],
  ["demotion beside a new password", "PUT", "/users/1", { admin: false, password }],
  ["ban", "POST", "/users/1/ban", undefined],
  ["deletion", "DELETE", "/users/1", undefined],
  ["deletion with all contributions", "DELETE", "/users/1?hard_delete=true", undefined],
])("the %s of the last active administrator is refused, and nothing changes", async (_, method, path, json) => {
  const before = [(await world.get("/users/1")).body, world.events().length];
  const { status, body } = await world.call(method, path, { token: rootToken, json });
  expect([status, body]).toEqual([403, refusal]);
  expect([(await world.get("/users/1")).body, world.events().length]).toEqual(before);
});

test("requests that all callers are refused keep their messages", async () => {
  const { status, body } = await world.call("POST", "/users/1/block", { token: rootToken });
  expect([status, body]).toEqual([
    403,
    { message: "403 Forbidden - The API initiating user cannot be blocked by the API" },
  ]);
});

test("other attributes of the last administrator can be changed", async () => {
  const { status, body } = await world.call("PUT", "/users/1", {
    token: rootToken,
    json: { admin: true, bio: "here" },
  });
  expect([status, body.bio, body.is_admin]).toEqual([200, "here", true]);
});

test("when two administrators demote themselves at once, one stays", async () => {
  const second = await world.user({ admin: true });
  const demote = (id: number, token: string) =>
    world.call("PUT", `/users/${id}`, { token, json: { admin: false, password } });
  const answers = await Promise.all([demote(1, rootToken), demote(second.id, second.token)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403]);
  expect(answers.find(({ status }) => status === 403)?.body).toEqual(refusal);
  world.alter(1, { is_admin: true });
  world.alter(second.id, { is_admin: false });
});

test.each([
  ["demoted", "PUT", "", { admin: false }],
  ["banned", "POST", "/ban", undefined],
  ["deleted", "DELETE", "", undefined],
])("with another active administrator, one is %s", async (_, method, path, json) => {
  const second = await world.user({ admin: true });
  const { status } = await world.call(method, `/users/${second.id}${path}`, { token: second.token, json });
  expect(status).toBeLessThan(300);
  expect((await world.get("/users/1")).body.is_admin).toBe(true);
});
