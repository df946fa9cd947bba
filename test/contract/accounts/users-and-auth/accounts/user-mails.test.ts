import { expect, test } from "bun:test";
import { users } from "../../../../../src/modules/core/users/records.ts";
import { type Json, rootToken, startWorld } from "../../../../support/fixtures/world.ts";

const world = await startWorld();

/** The mails that an act has written, oldest first. */
async function mailsOf(act: () => Promise<{ status: number }>): Promise<Json[]> {
  const count = async () => Number((await world.get("/-/outbox")).headers.get("x-total"));
  const before = await count();
  expect((await act()).status).toBeLessThan(300);
  const { body } = await world.get("/-/outbox", { query: { per_page: 100 } });
  return body.slice(0, (await count()) - before).toReversed();
}

const call = (method: string, path: string, json?: object, token: string = rootToken) =>
  world.call(method, path, { token, ...(json === undefined ? {} : { json }) });
const password = "a very fine password";

test("a new account with a reset password gets a link; the store has only its digest", async () => {
  const json = { email: "mara@people.example", username: "mara", name: "Mara", reset_password: true };
  const [mail, ...others] = await mailsOf(() => call("POST", "/users", json));
  expect(mail).toMatchObject({ to: "mara@people.example", event: "user_created" });
  const token = /\/users\/password\/edit\?reset_password_token=(\w{24})$/m.exec(mail.text)?.[1] as string;
  const [{ id }] = (await world.get("/users", { query: { username: "mara" } })).body;
  expect(world.store.of(users).get(id)?.reset_password_digest).toBe(Bun.SHA256.hash(token, "hex"));
  expect(others).toEqual([]);
  const plain = { email: "i@people.example", username: "ines", name: "Ines" };
  expect(await mailsOf(() => call("POST", "/users", { ...plain, force_random_password: true }))).toEqual([]);
});

test("a user whose password another user sets gets a mail", async () => {
  const [user, boss] = [await world.user(), await world.user({ admin: true })];
  const mails = await mailsOf(() => call("PUT", `/users/${user.id}`, { password }));
  expect(mails).toMatchObject([{ to: user.email, event: "user_password_updated" }]);
  expect(JSON.stringify(mails)).not.toContain(password);
  expect(await mailsOf(() => call("PUT", `/users/${boss.id}`, { password }, boss.token))).toEqual([]);
  expect(await mailsOf(() => call("PUT", `/users/${user.id}`, { bio: "b" }))).toEqual([]);
});

test("an address that needs confirmation gets a mail, a confirmed one does not", async () => {
  const user = await world.user();
  const confirmation = (to: string) => [expect.objectContaining({ to, event: "email_confirmation" })];
  const own = () => call("POST", "/user/emails", { email: "own@second.example" }, user.token);
  expect(await mailsOf(own)).toEqual(confirmation("own@second.example"));
  const path = `/users/${user.id}`;
  const add = (email: string, more = {}) => mailsOf(() => call("POST", `${path}/emails`, { email, ...more }));
  expect(await add("given@second.example")).toEqual(confirmation("given@second.example"));
  expect(await add("sure@second.example", { skip_confirmation: true })).toEqual([]);
  const change = (email: string, more = {}) => mailsOf(() => call("PUT", path, { email, ...more }));
  expect(await change("new@second.example")).toEqual(confirmation("new@second.example"));
  expect(await change("sure@second.example")).toEqual([]);
  expect(await change("forced@second.example", { skip_reconfirmation: true })).toEqual([]);
});

test("deactivation, approval and rejection send the user a mail, other changes of state do not", async () => {
  const pending = { state: "blocked_pending_approval" } as const;
  for (const [verb, attributes, event] of [
    ["deactivate", {}, "user_deactivated"],
    ["approve", pending, "user_approved"],
    ["reject", pending, "user_rejected"],
    ["block", {}, undefined],
    ["unblock", { state: "blocked" }, undefined],
    ["ban", {}, undefined],
    ["unban", { state: "banned" }, undefined],
    ["activate", { state: "deactivated" }, undefined],
  ] as const) {
    const user = await world.user();
    world.alter(user.id, attributes);
    const mails = await mailsOf(() => call("POST", `/users/${user.id}/${verb}`));
    expect(mails).toMatchObject(event === undefined ? [] : [{ to: user.email, event }]);
    expect([verb, mails.length]).toEqual([verb, event === undefined ? 0 : 1]);
  }
});

test("a refused request sends no mail", async () => {
  const user = await world.user();
  const before = (await world.get("/-/outbox")).headers.get("x-total");
  await call("PUT", `/users/${user.id}`, { password: "short" });
  await call("POST", `/users/${user.id}/approve`);
  await call("POST", `/users/${user.id}/emails`, { email: user.email });
  expect((await world.get("/-/outbox")).headers.get("x-total")).toBe(before);
});
