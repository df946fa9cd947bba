import { expect, test } from "bun:test";
import { type CallOptions, rootToken, startWorld } from "../../../../support/fixtures/world.ts";

const world = await startWorld();
const ann = await world.user({ username: "ann" });
const bob = await world.user({ username: "bob" });
const bad = "opx-nobody-has-this-token";

/** The user whom the server finds for the credentials. */
async function who(options: CallOptions, method = "GET"): Promise<string> {
  const { status, body } = await world.call(method, "/user", options);
  return status === 200 ? body.username : `${status}`;
}

const places: [string, (token: string) => CallOptions][] = [
  ["parameter private_token", (token) => ({ query: { private_token: token } })],
  ["header PRIVATE-TOKEN", (token) => ({ headers: { "PRIVATE-TOKEN": token } })],
  ["header Authorization", (token) => ({ headers: { Authorization: `Bearer ${token}` } })],
  ["parameter access_token", (token) => ({ query: { access_token: token } })],
];

for (const [place, options] of places) {
  test(`the server finds a token in the ${place}`, async () => {
    expect(await who(options(ann.token))).toBe("ann");
    expect(await who(options(bad))).toBe("401");
  });
}

for (const [first, options] of places) {
  for (const [second, others] of places.slice(places.findIndex(([place]) => place === first) + 1)) {
    const both = (a: string, b: string): CallOptions => {
      const [one, other] = [options(a), others(b)];
      return {
        query: { ...(one.query as object), ...(other.query as object) },
        headers: { ...one.headers, ...other.headers },
      };
    };

    test(`the ${first} takes precedence over the ${second}`, async () => {
      expect(await who(both(ann.token, bob.token))).toBe("ann");
      expect(await who(both(ann.token, bad))).toBe("ann");
      expect(await who(both(bad, bob.token))).toBe("401");
    });

    test(`after an empty ${first} the server reads the ${second}`, async () => {
      expect(await who(both("", bob.token))).toBe("bob");
    });
  }
}

for (const name of ["private_token", "access_token"]) {
  for (const [what, body] of [
    ["JSON", (token: unknown) => ({ json: { [name]: token } })],
    ["a form", (token: unknown) => ({ form: { [name]: String(token) } })],
  ] as const) {
    test(`the server finds ${name} in ${what}`, async () => {
      const { id } = await world.token(ann.id);
      const revoke = (token: unknown) => world.call("DELETE", `/personal_access_tokens/${id}`, body(token));
      expect((await revoke(bad)).status).toBe(401);
      expect((await revoke(ann.token)).status).toBe(204);
    });
  }

  test(`a ${name} that is not a text is an invalid token, and the server reads no other place`, async () => {
    for (const query of [`${name}[]=x`, `${name}[a]=x`]) {
      expect((await world.call("GET", "/users?username=ann")).status).toBe(200);
      expect((await world.call("GET", `/users?username=ann&${query}`)).status).toBe(401);
    }
    for (const json of [{ [name]: [ann.token] }, { [name]: {} }, { [name]: 1 }, { [name]: true }]) {
      expect((await world.call("POST", "/user/personal_access_tokens", { json })).status).toBe(401);
    }
  });
}

for (const header of ["bearer TOKEN", "BEARER TOKEN", "Bearer   TOKEN", "Bearer\tTOKEN", "Bearer TOKEN  "] as const) {
  test(`Authorization: ${JSON.stringify(header)} carries a token`, async () => {
    expect(await who({ headers: { Authorization: header.replace("TOKEN", ann.token) } })).toBe("ann");
  });
}

test("the names of headers are case-insensitive", async () => {
  for (const name of ["private-token", "Private-Token", "PRIVATE-TOKEN"]) {
    const { status } = await world.wire({ method: "GET", target: "/api/v4/user", headers: { [name]: ann.token } });
    expect(status).toBe(200);
  }
});

test("another scheme is no token; a malformed bearer token is invalid, even where none is required", async () => {
  const list = (Authorization: string) => world.call("GET", "/users?username=ann", { headers: { Authorization } });
  for (const header of ["Basic eDp5", "Token x", "", "Bearer", "Bearerx"])
    expect((await list(header)).status).toBe(200);
  for (const header of ["Bearer x y", `Bearer ${ann.token} x`, "Bearer ,"])
    expect((await list(header)).status).toBe(401);
});

const unauthorized = { message: "401 Unauthorized" };

test("a request without credentials gets 401 where they are required", async () => {
  for (const [method, path] of [
    ["GET", "/user"],
    ["GET", "/users/1"],
    ["POST", "/users"],
    ["GET", "/version"],
    ["GET", "/personal_access_tokens"],
    ["DELETE", "/personal_access_tokens/1"],
    ["POST", "/users/1/personal_access_tokens"],
  ] as const) {
    const { status, body, headers } = await world.call(method, path);
    expect([status, body]).toEqual([401, unauthorized]);
    expect(headers.get("www-authenticate")).toStartWith('Bearer realm="');
  }
});

for (const token of [bad, "x", "é", " ", "null", "0", rootToken.toUpperCase(), `${rootToken}x`, "a".repeat(4000)]) {
  test(`the unknown token ${token.slice(0, 20)} is 401, even where none is required`, async () => {
    for (const path of ["/user", "/users"]) {
      const { status, body } = await world.call("GET", path, { query: { private_token: token, username: "ann" } });
      expect([status, body]).toEqual([401, unauthorized]);
    }
  });
}

test("a revoked token is reported as revoked, everywhere", async () => {
  const { id, token } = await world.token(ann.id);
  expect(await who({ token })).toBe("ann");
  await world.call("DELETE", `/personal_access_tokens/${id}`, { token: rootToken });
  for (const path of ["/user", "/users?username=ann"]) {
    const { status, body, headers } = await world.call("GET", path, { token });
    expect([status, body]).toEqual([
      401,
      {
        error: "invalid_token",
        error_description: "Token was revoked. You have to re-authorize from the user.",
      },
    ]);
    expect(headers.get("www-authenticate")).toStartWith('Bearer realm="');
  }
});

test("a token expires at the first moment of its last day in UTC", async () => {
  const { token, expires_at } = await world.token(ann.id, { expires_at: world.clock.day(2) });
  expect(expires_at).toBe(world.clock.day(2));
  world.clock.advance(Date.parse(world.clock.day(2)) - world.clock.now() - 1);
  expect(await who({ token })).toBe("ann");
  world.clock.advance(1);
  const { status, body } = await world.call("GET", "/user", { token });
  expect([status, body]).toEqual([
    401,
    {
      error: "invalid_token",
      error_description: "Token is expired. You can either do re-authorization or token refresh.",
    },
  ]);
});

test("a token created for a past day is reported as expired", async () => {
  const { token, active } = await world.token(ann.id, { expires_at: world.clock.day(-1) });
  expect(active).toBe(false);
  expect((await world.call("GET", "/user", { token })).body.error).toBe("invalid_token");
});

const blocked = "403 Forbidden - Your account has been blocked.";
const internal = "403 Forbidden - This action cannot be performed by internal users";
for (const [what, attributes, message] of [
  ["blocked", { state: "blocked" }, blocked],
  ["ldap_blocked", { state: "ldap_blocked" }, blocked],
  ["banned", { state: "banned" }, blocked],
  [
    "blocked_pending_approval",
    { state: "blocked_pending_approval" },
    "403 Forbidden - Your account is pending approval from your administrator and hence blocked.",
  ],
  [
    "deactivated",
    { state: "deactivated" },
    "403 Forbidden - Your account has been deactivated by your administrator. Please log back in from a web browser " +
      `to reactivate your account at ${world.origin}`,
  ],
  ["the ghost", { user_type: "ghost" }, internal],
  ["the alert bot", { user_type: "alert_bot" }, internal],
  ["the support bot", { user_type: "support_bot" }, internal],
] as const) {
  test(`a token of a user that is ${what} does not work, not even for public things`, async () => {
    const user = await world.user();
    world.alter(user.id, attributes);
    for (const path of ["/user", "/users?username=ann", "/personal_access_tokens/self"]) {
      const { status, body } = await world.call("GET", path, { token: user.token });
      expect([status, body]).toEqual([403, { message }]);
    }
  });
}

for (const type of ["project_bot", "group_bot"] as const) {
  test(`a ${type} may use its token`, async () => {
    const user = await world.user();
    world.alter(user.id, { user_type: type });
    expect(await who({ token: user.token })).toBe(user.username);
  });
}

test("no token, password, query or body is in a log or in an error", async () => {
  const secrets = [ann.token, bad, "a secret password", "searched-for"];
  const [from, answers] = [world.logged.length, [] as string[]];
  for (const token of [ann.token, bad]) {
    for (const [, options] of places) answers.push((await world.call("GET", "/users?per_page=0", options(token))).text);
    answers.push((await world.call("GET", `/nothing?private_token=${token}`)).text);
    answers.push((await world.call("GET", `/users/${token}?search=searched-for`, { token })).text);
    answers.push((await world.call("POST", "/users", { json: { private_token: token, password: secrets[2] } })).text);
  }
  const lines = world.logged.slice(from);
  expect(lines.length).toBeGreaterThanOrEqual(answers.length);
  for (const text of [...lines, ...answers]) {
    for (const secret of secrets) expect(text).not.toContain(secret);
  }
});

test("a role that is too low is refused without a reason", async () => {
  const { status, body } = await world.call("POST", "/users", {
    token: ann.token,
    json: { email: "a@b.example", name: "A", username: "aa", reset_password: true },
  });
  expect([status, body]).toEqual([403, { message: "403 Forbidden" }]);
});

test("the next read shows the use of a token, on the token and on its owner", async () => {
  const user = await world.user();
  expect((await world.get(`/users/${user.id}`)).body.last_activity_on).toBeNull();
  const { id, last_used_at } = (await world.get(`/personal_access_tokens?user_id=${user.id}`)).body[0];
  expect(last_used_at).toBeNull();

  await world.call("GET", "/version", { token: user.token });
  const used = (await world.get(`/personal_access_tokens/${id}`)).body;
  expect([used.last_used_at, used.last_used_ips]).toEqual([world.clock.time(), ["127.0.0.1"]]);
  expect((await world.get(`/users/${user.id}`)).body.last_activity_on).toBe(world.clock.day());

  world.clock.advance(61_000);
  await world.call("GET", "/version", { token: user.token });
  expect((await world.get(`/personal_access_tokens/${id}`)).body.last_used_at).toBe(world.clock.time());
});
