import { describe, expect, test } from "bun:test";
import { parseTrustedProxies } from "../../../../src/domain/trusted-proxies.ts";
import { sessions } from "../../../../src/modules/accounts/sessions/records.ts";
import { secretOf, signIn } from "../../../support/browser/browser-session.ts";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld();
const behind = await startWorld({ trustedProxies: parseTrustedProxies("127.0.0.1") });
const hourMs = 3_600_000;
const password = "a long password of ada";
const unauthorized = { message: "401 Unauthorized" };

/** Without a password, since hashing one takes a core. */
async function tokenHolder() {
  const made = await world.user({ force_random_password: false, reset_password: true });
  world.clock.advance(61_000);
  return made;
}

async function person(attributes: Readonly<Record<string, unknown>> = {}) {
  const made = await world.user({ password, force_random_password: false, ...attributes });
  // Each test has attempts of its own.
  world.clock.advance(61_000);
  return made;
}

describe("signing in", () => {
  test("with a username, an address in any case, or a token", async () => {
    const ada = await person();
    for (const credentials of [
      { login: ada.username, password },
      { login: ada.email.toUpperCase(), password },
      { token: ada.token },
    ]) {
      const { answer, csrfToken } = await signIn(world, credentials);
      expect(Object.keys(answer.body).sort()).toEqual(["csrf_token", "expires_at", "user"]);
      expect(answer.body.user).toMatchObject({ id: ada.id, username: ada.username, is_admin: false });
      expect(answer.body.expires_at).toBe(new Date(world.clock.now() + 12 * hourMs).toISOString());
      expect(csrfToken).toMatch(/^[0-9a-f]{64}$/);
      expect(answer.headers.get("set-cookie")).toMatch(
        /^outpost_session=[A-Za-z0-9]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
      );
    }
  });

  test("keeps a digest alone", async () => {
    const ada = await person();
    const { secret, csrfToken } = await signIn(world, { login: ada.username, password });
    const kept = JSON.stringify(
      [...world.store.of(sessions).by.user_id.find(ada.id)].map((id) => world.store.of(sessions).get(id)),
    );
    expect(kept).toContain(Bun.SHA256.hash(secret, "hex"));
    expect(kept).not.toContain(secret);
    expect(kept).not.toContain(csrfToken);
  });

  test("notes the sign-in on the user", async () => {
    const ada = await person();
    const first = await signIn(world, { login: ada.username, password });
    const { body: once } = await world.get(`/users/${ada.id}`);
    world.clock.advance(hourMs);
    await signIn(world, { login: ada.username, password });
    const { body: twice } = await world.get(`/users/${ada.id}`);
    expect(once).toMatchObject({ sign_in_count: 1, current_sign_in_at: once.last_sign_in_at });
    expect(twice).toMatchObject({ sign_in_count: 2, last_sign_in_at: once.current_sign_in_at });
    expect(await first.isAlive()).toBe(true);
  });

  test("is refused alike for whatever does not fit", async () => {
    const ada = await person();
    const bot = await world.user();
    world.alter(bot.id, { user_type: "project_bot", password_digest: null });
    const revoked = await world.token(ada.id, { name: "revoked", scopes: ["api"] });
    await world.call("DELETE", `/personal_access_tokens/${revoked.id}`, { token: rootToken });
    const expired = await world.token(ada.id, { name: "expired", scopes: ["api"], expires_at: "2001-01-01" });
    for (const credentials of [
      {},
      { login: ada.username },
      { password },
      { login: ada.username, password: `${password}.` },
      { login: ada.username, password: "" },
      { login: "nobody-at-all", password },
      { login: bot.username, password },
      { token: "opx-00000000000000000000" },
      { token: revoked.token },
      { token: expired.token },
      { code: "none" },
    ]) {
      const { status, body, headers } = await world.call("POST", "/-/session", { json: credentials });
      expect({ credentials, status, body }).toEqual({ credentials, status: 401, body: unauthorized });
      expect(headers.get("set-cookie")).toBeNull();
    }
  });

  test("takes as long for an unknown login as for a wrong password", async () => {
    const ada = await person();
    const fastestMs = async (login: string) => {
      const times: number[] = [];
      for (let attempt = 0; attempt < 4; attempt += 1) {
        const startedMs = performance.now();
        await world.call("POST", "/-/session", { json: { login, password: "wrong" } });
        times.push(performance.now() - startedMs);
      }
      return Math.min(...times);
    };
    const [known, unknown] = [await fastestMs(ada.username), await fastestMs("nobody-here")];
    // Without the check it would be a hundredth.
    expect(unknown).toBeGreaterThan(known / 3);
  });

  test("is refused in the words of the state, to whom the credentials fit", async () => {
    for (const [state, words] of [
      ["blocked", "Your account has been blocked."],
      ["ldap_blocked", "Your account has been blocked."],
      ["banned", "Your account has been blocked."],
      ["blocked_pending_approval", "Your account is pending approval from your administrator and hence blocked."],
      [
        "deactivated",
        `Your account has been deactivated by your administrator. Please log back in from a web browser to reactivate your account at ${world.origin}`,
      ],
    ] as const) {
      const ada = await tokenHolder();
      world.alter(ada.id, { state });
      const { status, body } = await world.call("POST", "/-/session", { json: { token: ada.token } });
      expect([status, body]).toEqual([403, { message: `403 Forbidden - ${words}` }]);
    }
    const ada = await person();
    world.alter(ada.id, { state: "blocked" });
    const attempt = (given: string) =>
      world.call("POST", "/-/session", { json: { login: ada.username, password: given } });
    expect((await attempt(password)).body).toEqual({ message: "403 Forbidden - Your account has been blocked." });
    expect((await attempt("wrong")).status).toBe(401);
  });

  test("with a token that reads neither users nor the API is refused", async () => {
    const ada = await tokenHolder();
    const { token } = await world.token(ada.id, { scopes: ["read_registry"] });
    const { status, body } = await world.call("POST", "/-/session", { json: { token } });
    expect([status, body.error, body.scope]).toEqual([403, "insufficient_scope", "api read_api read_user"]);
  });

  test("is limited for each login, and for each address", async () => {
    const ada = await tokenHolder();
    const attempt = (login: string, given: string) =>
      world.call("POST", "/-/session", { json: { login, password: given } });
    for (let count = 0; count < 10; count += 1) expect((await attempt(ada.username, "wrong")).status).toBe(401);
    const { status, headers } = await attempt(ada.username.toUpperCase(), password);
    expect([status, Number(headers.get("retry-after")) > 0]).toEqual([429, true]);
    for (let count = 0; count < 49; count += 1) {
      const answer = await world.call("POST", "/-/session", { json: { token: `unknown-${count}` } });
      expect(answer.status).toBe(401);
    }
    const byToken = () => world.call("POST", "/-/session", { json: { token: ada.token } });
    expect((await byToken()).status).toBe(429);
    world.clock.advance(61_000);
    expect((await byToken()).status).toBe(201);
  });

  test("of a page of another origin is refused", async () => {
    const ada = await person();
    const from = (origin: string) =>
      world.call("POST", "/-/session", { json: { token: ada.token }, headers: { Origin: origin } });
    expect((await from("http://other.example")).body).toEqual({ message: "403 Forbidden - Invalid CSRF token" });
    expect((await from("null")).status).toBe(403);
    expect((await from(world.origin)).status).toBe(201);
  });

  test("works with the cookie of a session that is live or over", async () => {
    const ada = await person();
    const before = await signIn(world, { token: ada.token });
    const again = () =>
      world.call("POST", "/-/session", {
        json: { token: ada.token },
        headers: { Cookie: `a=b; outpost_session=${before.secret}` },
      });
    const second = await again();
    expect(second.status).toBe(201);
    expect(secretOf(second)).not.toBe(before.secret);
    await before.call("DELETE", "/-/session");
    expect((await again()).status).toBe(201);
  });
});

test("wrong passwords from one network do not keep a user of another from signing in", async () => {
  const ada = await behind.user({ password, force_random_password: false });
  const attempt = (address: string, given: string) =>
    behind.call("POST", "/-/session", {
      json: { login: ada.username, password: given },
      headers: { "X-Forwarded-For": address },
    });
  for (let count = 0; count < 10; count += 1) expect((await attempt("203.0.113.1", "wrong")).status).toBe(401);
  expect((await attempt("203.0.113.1", password)).status).toBe(429);
  expect((await attempt("203.0.113.2", password)).status).toBe(201);
  for (let count = 0; count < 10; count += 1) await attempt(`2001:db8::${count}`, "wrong");
  expect((await attempt("2001:db8::ffff", password)).status).toBe(429);
});

describe("a session ends", () => {
  const alive = async (attributes: Readonly<Record<string, unknown>> = {}) => {
    const ada = await person(attributes);
    const session = await signIn(world, { login: ada.username, password });
    expect(await session.isAlive()).toBe(true);
    return { ada, session };
  };
  const byRoot = (method: string, path: string, json?: unknown) => world.call(method, path, { token: rootToken, json });

  test("when its user signs out", async () => {
    const { session } = await alive();
    const { status, headers } = await session.call("DELETE", "/-/session");
    expect(status).toBe(204);
    expect(headers.get("set-cookie")).toBe("outpost_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict");
    expect(await session.isAlive()).toBe(false);
    expect((await session.call("GET", "/user")).body).toEqual(unauthorized);
    expect((await session.call("DELETE", "/-/session")).status).toBe(401);
  });

  test("after 12 hours without use", async () => {
    const { session } = await alive();
    world.clock.advance(12 * hourMs - 1);
    expect((await session.call("GET", "/user")).status).toBe(200);
    world.clock.advance(12 * hourMs - 1);
    expect(await session.isAlive()).toBe(true);
    world.clock.advance(1);
    expect(await session.isAlive()).toBe(false);
  });

  test("after 7 days in all", async () => {
    const { session } = await alive();
    for (let used = 0; used < 15; used += 1) {
      world.clock.advance(11 * hourMs);
      expect((await session.call("GET", "/user")).status).toBe(200);
    }
    world.clock.advance(3 * hourMs - 1);
    expect((await session.call("GET", "/user")).status).toBe(200);
    world.clock.advance(1);
    expect((await session.call("GET", "/user")).status).toBe(401);
  });

  for (const [name, method, path, json] of [
    ["another password", "PUT", "", { password: "quite another password" }],
    ["a block, also when it is lifted", "POST", "/block", undefined],
    ["a ban, also when it is lifted", "POST", "/ban", undefined],
    ["a deactivation, also when it is undone", "POST", "/deactivate", undefined],
    ["a deletion", "DELETE", "", undefined],
  ] as const) {
    test(`with ${name}`, async () => {
      const { ada, session } = await alive();
      if (path === "/deactivate") world.alter(ada.id, { last_activity_on: null });
      expect((await byRoot(method, `/users/${ada.id}${path}`, json)).status).toBeLessThan(300);
      expect(await session.isAlive()).toBe(false);
      const undo = { "/block": "/unblock", "/ban": "/unban", "/deactivate": "/activate" }[path as string];
      if (undo === undefined) return;
      expect((await byRoot("POST", `/users/${ada.id}${undo}`)).body).toBe(true);
      expect(await session.isAlive()).toBe(false);
    });
  }

  test("not with another change of its user", async () => {
    const { ada, session } = await alive();
    await byRoot("PUT", `/users/${ada.id}`, { name: "Ada Lovelace", bio: "counts" });
    expect(await session.isAlive()).toBe(true);
  });

  test("with the token that it was made of", async () => {
    const ada = await person();
    const made = await world.token(ada.id, { name: "short", scopes: ["api"], expires_at: dayAhead(2) });
    const revoked = await world.token(ada.id, { name: "revoked", scopes: ["api"] });
    const [expiring, revoking] = [
      await signIn(world, { token: made.token }),
      await signIn(world, { token: revoked.token }),
    ];
    await byRoot("DELETE", `/personal_access_tokens/${revoked.id}`);
    expect([await expiring.isAlive(), await revoking.isAlive()]).toEqual([true, false]);
    for (let used = 0; used < 6; used += 1) {
      world.clock.advance(8 * hourMs);
      await expiring.call("GET", "/user");
    }
    expect(await expiring.isAlive()).toBe(false);
  });

  test("and the sweep takes it off the disk", async () => {
    const { ada } = await alive();
    world.clock.advance(13 * hourMs);
    await world.jobsDone();
    expect([...world.store.of(sessions).by.user_id.find(ada.id)]).toEqual([]);
  });
});

test("a session of a token has the token's scopes", async () => {
  const ada = await person();
  const { token } = await world.token(ada.id, { name: "reader", scopes: ["read_api"] });
  const session = await signIn(world, { token });
  expect((await session.call("GET", "/projects")).status).toBe(200);
  expect((await session.call("POST", "/groups", { json: { name: "g", path: "gg" } })).body).toMatchObject({
    error: "insufficient_scope",
  });
});

test("the use of a session is noted at most once a minute, and costs no transaction", async () => {
  const ada = await person();
  const session = await signIn(world, { login: ada.username, password });
  const lastUsed = async () => (await session.call("GET", "/-/sessions")).body[0].last_used_at;
  await session.call("GET", "/user");
  const durable = world.store.statistics().durableSequence;
  const [first] = [await lastUsed()];
  world.clock.advance(59_000);
  expect(await lastUsed()).toBe(first);
  world.clock.advance(1_000);
  await session.call("GET", "/version");
  expect(await lastUsed()).toBe(new Date(world.clock.now()).toISOString());
  expect(world.store.statistics().durableSequence - durable).toBeLessThanOrEqual(1);
});

describe("lists of sessions", () => {
  test("tell where they are used, and end each one", async () => {
    const ada = await person();
    const [old, young] = [
      await signIn(world, { login: ada.username, password }),
      await signIn(world, { token: ada.token }),
    ];
    const { body } = await young.call("GET", "/-/sessions", { headers: { "User-Agent": "a browser" } });
    expect(body).toHaveLength(2);
    expect(body[0]).toMatchObject({ user_id: ada.id, current: true, scopes: ["api"], ip_address: "127.0.0.1" });
    expect(body[1]).toMatchObject({ current: false, scopes: null });
    expect((await young.call("DELETE", `/-/sessions/${body[1].id}`)).status).toBe(204);
    expect([await old.isAlive(), await young.isAlive()]).toEqual([false, true]);
  });

  test("are open to their user and to administrators", async () => {
    const [ada, ben] = [await person(), await person()];
    const session = await signIn(world, { token: ada.token });
    const { body } = await world.call("GET", "/-/sessions", { token: rootToken, query: { user_id: ada.id } });
    expect(body).toHaveLength(1);
    const others = await world.call("GET", "/-/sessions", { token: ben.token, query: { user_id: ada.id } });
    expect([others.status, others.body]).toEqual([403, { message: "403 Forbidden" }]);
    expect((await world.call("DELETE", `/-/sessions/${body[0].id}`, { token: ben.token })).status).toBe(404);
    expect(await session.isAlive()).toBe(true);
    expect((await world.call("DELETE", `/-/sessions/${body[0].id}`, { token: rootToken })).status).toBe(204);
    expect(await session.isAlive()).toBe(false);
  });
});

describe("a sign-in code", () => {
  const codeFor = (user: string, token = rootToken) =>
    world.call("POST", "/-/sign-in-codes", { token, json: { user } });

  test("signs its user in once", async () => {
    const ada = await person();
    const { body } = await codeFor(ada.username);
    expect(body).toMatchObject({ user_id: ada.id, url: `${world.origin}/-/console/#code=${body.code}` });
    expect((await signIn(world, { code: body.code })).answer.body.user.id).toBe(ada.id);
    expect((await world.call("POST", "/-/session", { json: { code: body.code } })).status).toBe(401);
  });

  test("is good for a quarter of an hour", async () => {
    const ada = await person();
    const { body } = await codeFor(String(ada.id));
    world.clock.advance(15 * 60_000);
    expect((await world.call("POST", "/-/session", { json: { code: body.code } })).status).toBe(401);
  });

  test("is made by administrators, for users there are", async () => {
    const ada = await person();
    expect((await codeFor("root", ada.token)).status).toBe(403);
    expect((await codeFor("nobody-at-all")).body).toEqual({ message: "404 User Not Found" });
  });
});

test("behind HTTPS the cookie is for HTTPS alone", async () => {
  const proxied = await startWorld({ externalUrl: "https://outpost.example/below" });
  const { headers, status } = await proxied.call("POST", "/-/session", {
    json: { token: rootToken },
    headers: { Origin: "https://outpost.example" },
  });
  expect(status).toBe(201);
  expect(headers.get("set-cookie")).toEndWith("; Path=/; HttpOnly; SameSite=Strict; Secure");
});

test("without the console there are no sessions", async () => {
  const plain = await startWorld({ console: false });
  const { status, body } = await plain.call("POST", "/-/session", { json: { token: rootToken } });
  expect([status, body]).toEqual([404, { error: "404 Not Found" }]);
  expect((await plain.get("/-/sessions")).status).toBe(404);
});

function dayAhead(days: number): string {
  return new Date(world.clock.now() + days * 24 * hourMs).toISOString().slice(0, 10);
}
