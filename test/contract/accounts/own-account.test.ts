import { describe, expect, test } from "bun:test";
import { signIn } from "../../support/browser/browser-session.ts";
import { type Json, type Person, rootToken, startWorld } from "../../support/fixtures/world.ts";

const world = await startWorld();
const first = "a very fine password";
const second = "another very fine password";
let count = 0;

/** A user who knows the password. Attempts to sign in are few in a minute. */
async function userWithPassword(): Promise<Person> {
  count += 1;
  world.clock.advance(61_000);
  return world.user({ password: first, force_random_password: false, email: `own${count}@people.example` });
}

const session = (user: Person, password = first) => signIn(world, { login: user.username, password });
const opens = async (user: Person, password: string) =>
  (await world.call("POST", "/-/session", { json: { login: user.username, password } })).status === 201;

async function lastMailTo(address: string): Promise<Json> {
  const { body } = await world.get("/-/outbox", { query: { per_page: 100 } });
  return body.find(({ to }: Json) => to === address);
}

const tokenIn = (mail: Json, name: string): string => new RegExp(`${name}=(\\w+)`).exec(mail.text)?.[1] ?? "";

describe("the profile", () => {
  test("is changed by its user, and another user's is not reached", async () => {
    const user = await userWithPassword();
    const browser = await session(user);
    const json = { name: "Mara Quist", bio: "Sails", location: "Lisbon", private_profile: true };
    const { status, body } = await browser.call("PUT", "/-/account", { json });
    expect({ status, body }).toMatchObject({ status: 200, body: { id: user.id, ...json } });
    expect((await world.get(`/users/${user.id}`)).body).toMatchObject(json);
    expect((await world.call("PUT", "/-/account", { json })).status).toBe(401);
    const bad = await browser.call("PUT", "/-/account", { json: { name: "" } });
    expect([bad.status, bad.body]).toEqual([400, { message: { name: ["can't be blank"] } }]);
  });

  test("ignores attributes that administrators alone change", async () => {
    const user = await userWithPassword();
    const json = { name: "Ines", admin: true, external: true, projects_limit: 7, id: 1 };
    expect((await world.call("PUT", "/-/account", { token: user.token, json })).status).toBe(200);
    expect((await world.get(`/users/${user.id}`)).body).toMatchObject({ is_admin: false, external: false });
    expect((await world.get("/users/1")).body.name).not.toBe("Ines");
  });
});

describe("the primary address", () => {
  test("needs the password, and waits until the link of the mail confirms it", async () => {
    const user = await userWithPassword();
    const email = `next${user.id}@people.example`;
    const change = (current_password?: string) =>
      world.call("PUT", "/-/account", { token: user.token, json: { email, current_password } });
    for (const given of [undefined, "wrong one of them"]) {
      const { status, body } = await change(given);
      expect([status, body]).toEqual([400, { message: { current_password: ["is invalid"] } }]);
    }
    expect((await change(first)).body.email).toBe(user.email);
    const token = tokenIn(await lastMailTo(email), "/users/confirmation\\?confirmation_token");
    const confirm = () => world.call("POST", "/-/account/confirmations", { json: { confirmation_token: token } });
    const { status, body } = await confirm();
    expect([status, body]).toEqual([201, { email }]);
    expect((await world.get(`/users/${user.id}`)).body.email).toBe(email);
    const again = await confirm();
    expect([again.status, again.body]).toEqual([400, { message: { confirmation_token: ["is invalid"] } }]);
  });

  test("stays when somebody else has taken the address meanwhile", async () => {
    const user = await userWithPassword();
    const email = `wanted${user.id}@people.example`;
    await world.call("PUT", "/-/account", { token: user.token, json: { email, current_password: first } });
    const token = tokenIn(await lastMailTo(email), "confirmation_token");
    await world.user({ email });
    const { status, body } = await world.call("POST", "/-/account/confirmations", {
      json: { confirmation_token: token },
    });
    expect([status, body]).toEqual([400, { message: { email: ["has already been taken"] } }]);
  });
});

test("the link in a mail confirms a secondary address within three days", async () => {
  const user = await userWithPassword();
  const add = async (email: string) => {
    await world.call("POST", "/user/emails", { token: user.token, json: { email } });
    return { confirmation_token: tokenIn(await lastMailTo(email), "confirmation_token") };
  };
  const email = `second${user.id}@people.example`;
  const json = await add(email);
  expect((await world.call("POST", "/-/account/confirmations", { json })).body).toEqual({ email });
  const { body } = await world.call("GET", "/user/emails", { token: user.token });
  expect(body.find((each: Json) => each.email === email).confirmed_at).not.toBeNull();
  const late = await add(`late${user.id}@people.example`);
  world.clock.advance(3 * 86_400_000 + 1);
  const answer = await world.call("POST", "/-/account/confirmations", { json: late });
  const texts = ["has expired, please request a new one"];
  expect([answer.status, answer.body]).toEqual([400, { message: { confirmation_token: texts } }]);
});

describe("the password", () => {
  test("is changed by who knows it, and ends every session", async () => {
    const user = await userWithPassword();
    const browser = await session(user);
    const change = (json: object) => browser.call("PUT", "/-/account/password", { json });
    for (const current_password of [undefined, second]) {
      const { status, body } = await change({ current_password, password: second });
      expect([status, body]).toEqual([400, { message: { current_password: ["is invalid"] } }]);
    }
    const short = await change({ current_password: first, password: "short" });
    expect(short.body).toEqual({ message: { password: ["is too short (minimum is 8 characters)"] } });
    expect((await change({ current_password: first, password: second })).status).toBe(204);
    expect(await browser.isAlive()).toBe(false);
    expect([await opens(user, first), await opens(user, second)]).toEqual([false, true]);
    expect((await world.call("GET", "/user", { token: user.token })).status).toBe(200);
  });

  test("of an account without one is chosen by a browser that signed in, and not with a token", async () => {
    world.clock.advance(61_000);
    const user = await world.user();
    const json = { password: second };
    const byToken = await world.call("PUT", "/-/account/password", { token: user.token, json });
    expect(byToken.status).toBe(403);
    const { body } = await world.call("POST", "/-/sign-in-codes", { token: rootToken, json: { user: user.id } });
    const browser = await signIn(world, { code: body.code });
    expect((await browser.call("PUT", "/-/account/password", { json })).status).toBe(204);
    expect(await opens(user, second)).toBe(true);
  });

  test("that an administrator gave is replaced at the sign-in", async () => {
    const user = await userWithPassword();
    await world.call("PUT", `/users/${user.id}`, { token: rootToken, json: { password: second } });
    const attempt = (more: object = {}) =>
      world.call("POST", "/-/session", { json: { login: user.username, password: second, ...more } });
    const refused = await attempt();
    const message = "403 Forbidden - Your password has expired. Send another one as new_password";
    expect([refused.status, refused.body]).toEqual([403, { message }]);
    expect((await attempt({ new_password: second })).body).toEqual({
      message: { password: ["is the one that has expired"] },
    });
    expect((await attempt({ new_password: "short" })).status).toBe(400);
    expect((await attempt({ password: "wrong", new_password: first })).status).toBe(401);
    expect((await attempt({ new_password: "my own new password" })).status).toBe(201);
    expect([await opens(user, second), await opens(user, "my own new password")]).toEqual([false, true]);
  });
});

describe("a forgotten password", () => {
  const ask = (email: string) => world.call("POST", "/-/account/password-resets", { json: { email } });
  const choose = (reset_password_token: string, password: string) =>
    world.call("PUT", "/-/account/password-resets", { json: { reset_password_token, password } });

  test("is replaced once with the link of the mail", async () => {
    const user = await userWithPassword();
    const browser = await session(user);
    expect((await ask(user.email)).status).toBe(202);
    const mail = await lastMailTo(user.email);
    expect(mail.event).toBe("user_password_reset");
    const token = tokenIn(mail, "/users/password/edit\\?reset_password_token");
    expect((await choose(token, "short")).status).toBe(400);
    expect((await choose(token, second)).status).toBe(204);
    expect([await opens(user, second), await browser.isAlive()]).toEqual([true, false]);
    const again = await choose(token, first);
    expect([again.status, again.body]).toEqual([400, { message: { reset_password_token: ["is invalid"] } }]);
  });

  test("answers the same for an address that nobody has, and mails once in a minute", async () => {
    const user = await userWithPassword();
    const total = async () => Number((await world.get("/-/outbox")).headers.get("x-total"));
    const before = await total();
    const answers = [await ask(user.email), await ask("nobody@people.example"), await ask(user.email)];
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect((await total()) - before).toBe(1);
  });

  test("sends nothing to a blocked user, and the link ends with the state", async () => {
    const user = await userWithPassword();
    await ask(user.email);
    const token = tokenIn(await lastMailTo(user.email), "reset_password_token");
    await world.call("POST", `/users/${user.id}/block`, { token: rootToken });
    expect((await choose(token, second)).status).toBe(403);
  });

  test("is not replaced after two days", async () => {
    const user = await userWithPassword();
    await ask(user.email);
    const token = tokenIn(await lastMailTo(user.email), "reset_password_token");
    world.clock.advance(2 * 86_400_000 + 1);
    const { status, body } = await choose(token, second);
    const texts = ["has expired, please request a new one"];
    expect([status, body]).toEqual([400, { message: { reset_password_token: texts } }]);
  });

  test("of a new account is chosen with the link of its first mail", async () => {
    const email = `new${count}@people.example`;
    const json = { email, username: `new${count}`, name: "New", reset_password: true };
    await world.call("POST", "/users", { token: rootToken, json });
    const token = tokenIn(await lastMailTo(email), "reset_password_token");
    expect((await choose(token, second)).status).toBe(204);
  });
});

describe("an access token", () => {
  test("of any scope is made by a browser that signed in, and shown once", async () => {
    const user = await userWithPassword();
    const browser = await session(user);
    const make = (json: object) => browser.call("POST", "/-/account/tokens", { json });
    const { status, body } = await make({ name: "laptop", scopes: ["api"] });
    expect(status).toBe(201);
    expect((await world.call("GET", "/user", { token: body.token })).body.id).toBe(user.id);
    const listed = await world.call("GET", "/personal_access_tokens", { token: user.token });
    expect(listed.text).not.toContain(body.token);
    expect((await make({ name: "root", scopes: ["sudo"] })).status).toBe(422);
  });

  test("is made with a token, or by a session of one, only with the password", async () => {
    const user = await userWithPassword();
    const json = { name: "laptop", scopes: ["api"] };
    expect((await world.call("POST", "/-/account/tokens", { token: user.token, json })).status).toBe(400);
    const known = { ...json, current_password: first };
    expect((await world.call("POST", "/-/account/tokens", { token: user.token, json: known })).status).toBe(201);
    const browser = await signIn(world, { token: user.token });
    expect((await browser.call("POST", "/-/account/tokens", { json })).status).toBe(400);
    const { token } = await world.user();
    expect((await world.call("POST", "/-/account/tokens", { token, json })).status).toBe(403);
  });
});
