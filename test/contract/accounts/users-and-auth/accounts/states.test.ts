import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { UserState } from "../../../../../src/modules/core/users/records.ts";
import { rootToken, startWorld } from "../../../../support/fixtures/world.ts";

const world = await startWorld();
const plain = await world.user();

const states = ["active", "blocked", "ldap_blocked", "blocked_pending_approval", "banned", "deactivated"] as const;

/** The answer of an operation, and the user's next state; `to` is left out where nothing changes. */
interface Outcome {
  readonly status: number;
  readonly body: unknown;
  readonly to?: UserState | "deleted";
  readonly event?: string;
  readonly text?: string;
}

const refused = (message: string, status = 403): Outcome => ({ status, body: { message } });
const done = (to: UserState, event: string, text: string): Outcome => ({ status: 201, body: true, to, event, text });
const answered = (body: unknown): Outcome => ({ status: 201, body });
const table = (otherwise: Outcome, outcomes: Partial<Record<UserState, Outcome>>): Record<UserState, Outcome> =>
  Object.fromEntries(states.map((state) => [state, outcomes[state] ?? otherwise])) as Record<UserState, Outcome>;

const blocked = done("blocked", "user_blocked", "Blocked user");
const unblocked = done("active", "unblock_user", "Unblocked user");
const success = { message: "Success" };

/** users-and-auth 10, cell by cell. */
const outcomes: Record<string, Record<UserState, Outcome>> = {
  block: table(answered(null), {
    active: blocked,
    deactivated: blocked,
    ldap_blocked: refused("403 Forbidden - LDAP blocked users cannot be modified by the API"),
  }),
  unblock: table(unblocked, {
    active: answered(false),
    deactivated: refused("403 Forbidden - Deactivated users cannot be unblocked by the API"),
    ldap_blocked: refused("403 Forbidden - LDAP blocked users cannot be unblocked by the API"),
  }),
  deactivate: table(refused("Error occurred. A blocked user cannot be deactivated"), {
    active: done("deactivated", "user_deactivate", "Deactivated user"),
    deactivated: answered(null),
  }),
  activate: table(refused("Error occurred. A blocked user must be unblocked to be activated"), {
    active: answered(true),
    deactivated: done("active", "user_activate", "Activated user"),
  }),
  ban: Object.fromEntries(
    states.map((state) => [
      state,
      state === "active" ? done("banned", "ban_user", "Banned user") : refused(`You cannot ban ${state} users.`),
    ]),
  ) as Record<UserState, Outcome>,
  unban: Object.fromEntries(
    states.map((state) => [
      state,
      state === "banned" ? done("active", "unban_user", "Unbanned user") : refused(`You cannot unban ${state} users.`),
    ]),
  ) as Record<UserState, Outcome>,
  approve: table(refused("The user you are trying to approve is not pending approval", 409), {
    blocked_pending_approval: {
      status: 201,
      body: success,
      to: "active",
      event: "user_approved",
      text: "Approved user",
    },
  }),
  reject: table(refused("User does not have a pending request", 409), {
    blocked_pending_approval: {
      status: 200,
      body: success,
      to: "deleted",
      event: "user_rejected",
      text: "Rejected user",
    },
  }),
};
const verbs = Object.keys(outcomes);

const post = (id: number | string, verb: string, token: string | undefined = rootToken) =>
  world.call("POST", `/users/${id}/${verb}`, { token });

/** One operation on a user, held against its cell: answer, state, audit events. */
async function take(user: { id: number; username: string; name: string }, verb: string, from: UserState) {
  const outcome = outcomes[verb]?.[from] as Outcome;
  const eventsBefore = world.events().length;
  const { status, body } = await post(user.id, verb);
  expect({ status, body }).toEqual({ status: outcome.status, body: outcome.body });
  const read = await world.get(`/users/${user.id}`);
  const to = outcome.to ?? from;
  if (to === "deleted") expect(read.status).toBe(404);
  else expect(read.body.state).toBe(to);
  const events = world.events(eventsBefore).map((event) => [event.event_name, event.entity_id, event.details]);
  const { event, text: custom_message } = outcome;
  const target = { target_id: user.id, target_type: "User", target_details: user.name, entity_path: user.username };
  expect(events as unknown[]).toEqual(
    event === undefined ? [] : [[event, user.id, expect.objectContaining({ custom_message, ...target })]],
  );
  return to;
}

describe("every operation from every state", () => {
  for (const verb of verbs) {
    for (const from of states) {
      test(`${verb} a user who is ${from}`, async () => {
        const { record } = await world.user();
        world.alter(record.id, { state: from });
        await take(record, verb, from);
      });
    }
  }
});

test("any sequence of operations goes the way of the table", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...states),
      fc.array(fc.constantFrom(...verbs), { maxLength: 8 }),
      async (start, sequence) => {
        const { record } = await world.user();
        world.alter(record.id, { state: start });
        let state: UserState | "deleted" = start;
        for (const verb of sequence) {
          if (state === "deleted") expect((await post(record.id, verb)).status).toBe(404);
          else state = await take(record, verb, state);
        }
      },
    ),
    { numRuns: 40 },
  );
});

for (const verb of verbs) {
  const own = { approve: "You are not allowed to approve a user", reject: "You are not allowed to reject a user" };
  const message = own[verb as keyof typeof own] ?? "403 Forbidden";

  test(`${verb} is for administrators, and checks that before the user`, async () => {
    for (const id of [plain.id, 999_999]) {
      const anonymous = await world.call("POST", `/users/${id}/${verb}`);
      expect([anonymous.status, anonymous.body]).toEqual([401, { message: "401 Unauthorized" }]);
      const other = await post(id, verb, plain.token);
      expect([other.status, other.body]).toEqual([403, { message }]);
    }
  });

  test(`${verb} is 404 for an unknown id, and has no route for a text that is no id`, async () => {
    const unknown = await post(999_999, verb);
    expect([unknown.status, unknown.body]).toEqual([404, { message: "404 User Not Found" }]);
    for (const id of ["ASDF", "1ASDF", plain.username]) expect((await post(id, verb)).status).toBe(404);
  });
}

test("no user blocks themselves, not even by sudo", async () => {
  const message = "403 Forbidden - The API initiating user cannot be blocked by the API";
  const own = await post(1, "block");
  expect([own.status, own.body]).toEqual([403, { message }]);
  const admin = await world.user({ admin: true });
  const sudo = await world.call("POST", `/users/${admin.id}/block`, { token: rootToken, query: { sudo: admin.id } });
  expect([sudo.status, sudo.body]).toEqual([403, { message }]);
  expect((await post(admin.id, "block")).body).toBe(true);
});

for (const user_type of ["ghost", "alert_bot", "support_bot"] as const) {
  test(`a ${user_type} is neither blocked nor deactivated nor banned`, async () => {
    const { id } = await world.user();
    world.alter(id, { user_type });
    for (const [verb, message] of [
      ["block", "An internal user cannot be blocked"],
      ["deactivate", "Internal users cannot be deactivated"],
      ["ban", "You cannot ban internal users."],
    ] as const) {
      const { status, body } = await post(id, verb);
      expect([status, body]).toEqual([403, { message }]);
    }
    expect((await world.get(`/users/${id}`)).body.state).toBe("active");
  });
}

test("a user who was active within ninety days cannot be deactivated", async () => {
  const { id } = await world.user();
  for (const [daysAgo, isDormant] of [
    [0, false],
    [1, false],
    [89, false],
    [90, true],
    [500, true],
  ] as const) {
    world.alter(id, { last_activity_on: world.clock.day(-daysAgo), state: "active" });
    const { status, body } = await post(id, "deactivate");
    const message =
      "The user you are trying to deactivate has been active in the past 90 days and cannot be deactivated";
    expect([daysAgo, status, body]).toEqual([daysAgo, isDormant ? 201 : 403, isDormant ? true : { message }]);
  }
});

test("a change of state disables the user's tokens at once, and enables them again", async () => {
  const user = await world.user();
  const ask = async () => (await world.call("GET", "/user", { token: user.token })).status;
  for (const [out, back] of [
    ["block", "unblock"],
    ["ban", "unban"],
    ["deactivate", "activate"],
  ] as const) {
    world.alter(user.id, { last_activity_on: null });
    expect([(await post(user.id, out)).status, await ask()]).toEqual([201, 403]);
    expect([(await post(user.id, back)).status, await ask()]).toEqual([201, 200]);
  }
});

test("a change of state updates the time of the user", async () => {
  const { id } = await world.user();
  world.clock.advance(1_000);
  await post(id, "block");
  const { body } = await world.get("/users", { query: { order_by: "updated_at", per_page: 1 } });
  expect(body[0].id).toBe(id);
});

test("a token whose owner is blocked during its own block request changes nothing", async () => {
  const admin = await world.user({ admin: true });
  const { id } = await world.user();
  await post(admin.id, "block");
  expect((await post(id, "block", admin.token)).status).toBe(403);
  expect((await world.get(`/users/${id}`)).body.state).toBe("active");
});

test("custom attributes record who blocked and who unblocked, when the state changed", async () => {
  const boss = await world.user({ username: "the-boss", admin: true });
  const { id } = await world.user();
  const attributes = async () => (await world.get(`/users/${id}/custom_attributes`)).body;
  const readableTime = () => `${world.clock.time().slice(0, 19).replace("T", " ")} UTC`;
  await post(id, "unblock", boss.token);
  expect(await attributes()).toEqual([]);
  await post(id, "block", boss.token);
  const blockedBy = { key: "blocked_by", value: `the-boss/${boss.id}+${readableTime()}` };
  expect(await attributes()).toEqual([blockedBy]);
  world.clock.advance(1_000);
  await post(id, "block");
  await post(id, "unblock");
  expect(await attributes()).toEqual([blockedBy, { key: "unblocked_by", value: `root/1+${readableTime()}` }]);
});
