import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { Json } from "../../support/checks/json.ts";
import { runClientScript } from "../../support/process/client-script.ts";
import { type OutpostProcess, startOutpost } from "../../support/process/outpost-process.ts";

const rootToken = "a-token-for-tests-0123456789";

let outpost: OutpostProcess;
let seen: Record<string, Json>;

beforeAll(async () => {
  outpost = await startOutpost({ env: { OUTPOST_ROOT_TOKEN: rootToken, OUTPOST_ROOT_PASSWORD: "correct horse" } });
  const script = join(import.meta.dir, "scripts/gitbeaker-users.mjs");
  seen = await runClientScript(["node", script], { HOST: outpost.origin, TOKEN: rootToken });
}, 180_000);

afterAll(async () => {
  await outpost?.[Symbol.asyncDispose]();
});

test("gitbeaker modifies users, with and without an avatar", () => {
  expect(seen.edited).toMatchObject({ name: "Mara Quist", bio: "Sails 🙂", is_admin: false, projects_limit: 3 });
  const avatar_url = `${outpost.origin}/uploads/-/system/user/avatar/${seen.edited.id}/face.png`;
  expect(seen.pictured).toMatchObject({ avatar_url, location: "Lisbon", bio: "Sails 🙂" });
  expect(seen.picture).toBe("image/png");
  expect(seen.renamed).toBe(`${outpost.origin}/mara.quist`);
});

test("gitbeaker takes a user through the states", () => {
  expect(seen.states).toEqual([
    ["block", true, "blocked"],
    ["unblock", true, "active"],
    ["ban", true, "banned"],
    ["unban", true, "active"],
    ["deactivate", true, "deactivated"],
    ["activate", true, "active"],
  ]);
  // null, as gitbeaker reads it.
  expect(seen.blockedTwice).toEqual([true, {}, true]);
});

test("gitbeaker adds, shows and deletes email addresses, of the caller and of other users", () => {
  const [first, second, third] = ["mara@skylark.example", "second@skylark.example", "third@skylark.example"];
  expect(seen.added).toMatchObject({ email: second, confirmed_at: expect.any(String) });
  expect(seen.addedByHerself).toMatchObject({ email: third, confirmed_at: null });
  expect(seen.addresses).toEqual([first, second, third]);
  expect(seen.ownAddresses).toEqual(seen.addresses);
  expect(seen.shown).toEqual(seen.added);
  expect(seen.changed).toBe(second);
  expect(seen.removed).toEqual([null, null]);
  expect(seen.addressesLeft).toEqual([second]);
});

test("gitbeaker deletes an identity, and the user", () => {
  expect([seen.identityRemoved, seen.identities]).toEqual([null, []]);
  expect(seen.deleted).toBeNull();
  expect(seen.gone).toMatchObject([{ status: 404 }, { status: 401 }]);
});

test.each([
  ["taken", 404, "Email has already been taken"],
  ["themselves", 403, "403 Forbidden - The API initiating user cannot be blocked by the API"],
  [
    "active",
    403,
    "The user you are trying to deactivate has been active in the past 90 days and cannot be deactivated",
  ],
  ["unban", 403, "You cannot unban active users."],
  ["approve", 409, "The user you are trying to approve is not pending approval"],
  ["reject", 409, "User does not have a pending request"],
  ["twoFactor", 400, "400 Bad request - Two-factor authentication is not enabled for this user"],
  ["identity", 404, "404 Identity Not Found"],
  ["address", 400, '{"email":["has already been taken"]}'],
  ["noAddress", 404, "404 Email Not Found"],
  ["notAdministrator", 403, "403 Forbidden"],
  ["approveByOthers", 403, "You are not allowed to approve a user"],
])("gitbeaker is refused %s: %i %s", (name, status, description) => {
  expect(seen.refused[name]).toEqual({ status, description });
});
