import { expect, test } from "bun:test";
import { type Json, rootToken, startWorld } from "../../../../support/fixtures/world.ts";

const world = await startWorld();
const admin = rootToken;
const plain = await world.user({ username: "plain", name: "plain" });

/** One user of every kind, a minute apart. */
const kinds: Record<string, () => Promise<{ id: number }>> = {
  boss: () => world.user({ admin: true }),
  auditor: () => world.user({ auditor: true }),
  external: () => world.user({ external: true }),
  saml: () => world.user({ provider: "saml", extern_uid: "uid-1" }),
  ldap: () => world.user({ provider: "ldapmain", extern_uid: "cn=x" }),
  public: () =>
    world.user({ email: "Shown@people.example", public_email: "shown@people.example", skip_confirmation: true }),
  ...Object.fromEntries(
    (["blocked", "ldap_blocked", "blocked_pending_approval", "banned", "deactivated"] as const).map((state) => [
      state,
      async () => {
        const user = await world.user();
        world.alter(user.id, { state });
        return user;
      },
    ]),
  ),
  ...Object.fromEntries(
    (["project_bot", "group_bot", "ghost", "alert_bot", "support_bot"] as const).map((type) => [
      type,
      async () => {
        const user = await world.user();
        world.alter(user.id, { user_type: type });
        return user;
      },
    ]),
  ),
  two_factor: async () => {
    const user = await world.user();
    world.alter(user.id, { two_factor_enabled: true });
    return user;
  },
};
const names = new Map<number, string>([
  [1, "root"],
  [plain.id, "plain"],
]);
for (const [kind, make] of Object.entries(kinds)) {
  world.clock.advance(60_000);
  names.set((await make()).id, kind);
}
const everybody = [...names.values()];
const visible = everybody.filter((name) => name !== "banned" && name !== "ldap_blocked");
const bots = ["project_bot", "group_bot"];
const internal = ["ghost", "alert_bot", "support_bot"];
const inactive = ["blocked", "ldap_blocked", "blocked_pending_approval", "banned", "deactivated"];

async function listed(query: string, token: string | undefined): Promise<string[] | number> {
  const { status, body } = await world.call("GET", "/users", { query: `per_page=100&sort=asc&${query}`, token });
  return status === 200 ? body.map((user: Json) => names.get(user.id)) : status;
}

const without = (list: string[], ...left: string[]) => list.filter((name) => !left.includes(name));

// Filters for all: what administrators see; others see the same without the two hidden states.
for (const [query, expected] of [
  ["", everybody],
  ["active=true", without(everybody, ...inactive, ...internal)],
  ["active=True", without(everybody, ...inactive, ...internal)],
  ["active=false", everybody],
  ["blocked=true", ["blocked", "ldap_blocked"]],
  ["blocked=false", everybody],
  ["external=true", ["external"]],
  ["external=false", everybody],
  ["exclude_active=true", inactive],
  ["exclude_active=false", everybody],
  ["exclude_external=true", without(everybody, "external")],
  ["humans=true", without(everybody, ...bots, ...internal)],
  ["humans=false", everybody],
  ["exclude_humans=true", [...bots, ...internal]],
  ["exclude_internal=true", without(everybody, ...internal)],
  ["without_project_bots=true", without(everybody, ...bots)],
  ["exclude_internal=true&exclude_humans=true", bots],
  ["humans=true&exclude_humans=true", []],
  ["active=true&blocked=true", []],
  ["public_email=shown@people.example", ["public"]],
  ["public_email=shown@people", []],
  ["username=PLAIN", ["plain"]],
  ["username=plai", []],
  ["username=plain&external=true", []],
  ["username=", everybody],
  ["nothing=known", everybody],
] as const) {
  test(`?${query} lists ${expected.length > 5 ? expected.length : `[${expected}]`} for an administrator`, async () => {
    expect(await listed(query, admin)).toEqual([...expected]);
  });

  test(`?${query} lists as many for other callers, without the banned and the ldap_blocked`, async () => {
    expect(await listed(query, plain.token)).toEqual(expected.filter((name) => visible.includes(name)));
  });
}

// Filters for administrators: others' are ignored.
for (const [query, expected] of [
  ["two_factor=enabled", ["two_factor"]],
  ["two_factor=disabled", without(everybody, "two_factor")],
  ["two_factor=perhaps", everybody],
  ["admins=true", ["root", "boss"]],
  ["admins=false", everybody],
  ["auditors=true", ["auditor"]],
  ["saml_provider_id=1", []],
  ["skip_ldap=true", without(everybody, "ldap")],
  ["without_projects=true", everybody],
] as const) {
  test(`?${query} is for administrators, and ignored for other callers`, async () => {
    expect(await listed(query, admin)).toEqual([...expected]);
    expect(await listed(query, plain.token)).toEqual(visible);
  });
}

for (const [query, expected] of [
  ["extern_uid=uid-1&provider=saml", ["saml"]],
  ["extern_uid=cn%3Dx&provider=ldapmain", ["ldap"]],
  ["extern_uid=uid-1&provider=ldapmain", []],
  ["extern_uid=nobody&provider=saml", []],
  ["extern_uid=uid-1&provider=scim", []],
] as const) {
  test(`?${query} lists [${expected}] for administrators and is refused to other callers`, async () => {
    expect(await listed(query, admin)).toEqual([...expected]);
    const refused = await world.call("GET", "/users", { query, token: plain.token });
    expect([refused.status, refused.body]).toEqual([403, { message: "403 Forbidden" }]);
    expect((await world.call("GET", "/users", { query })).status).toBe(401);
    expect((await world.call("GET", "/users", { query: `username=root&${query}` })).status).toBe(401);
  });
}

test("an auditor sees all users and filters as an administrator", async () => {
  const [id] = [...names].find(([, name]) => name === "auditor") ?? [];
  const { token } = await world.token(id as number);
  expect(await listed("", token)).toEqual(everybody);
  expect(await listed("admins=true", token)).toEqual(["root", "boss"]);
});

test("anonymous callers must name a user", async () => {
  for (const query of ["", "search=plain", "username=", "page=1", "active=true"]) {
    const { status, body } = await world.call("GET", "/users", { query });
    expect([status, body]).toEqual([403, { message: "403 Forbidden - Not authorized to access /api/v4/users" }]);
  }
  expect(await listed("username=PLAIN", undefined)).toEqual(["plain"]);
  expect(await listed("username=nobody", undefined)).toEqual([]);
  expect(await listed("username=plain&external=true", undefined)).toEqual([]);
});

test("created_after and created_before are inclusive to the millisecond", async () => {
  const [boss] = (await world.get("/users?admins=true")).body;
  const at = boss.created_at;
  expect(at).toMatch(/:\d\d\.250Z$/);
  expect(await listed(`created_after=${at}&created_before=${at}`, plain.token)).toEqual(["boss"]);
  const later = at.replace(".250", ".251");
  const earlier = at.replace(".250", ".249");
  expect(await listed(`created_after=${later}`, admin)).toEqual(everybody.slice(3));
  expect(await listed(`created_before=${earlier}`, admin)).toEqual(["root", "plain"]);
  expect(await listed(`created_after=${later}&created_before=${earlier}`, admin)).toEqual([]);
});

for (const name of [
  ...["active", "blocked", "external", "exclude_active", "exclude_external", "humans", "exclude_humans"],
  ...["exclude_internal", "without_project_bots", "created_after", "created_before", "admins", "auditors", "skip_ldap"],
  "saml_provider_id",
]) {
  test(`${name}=maybe is invalid for all callers`, async () => {
    for (const token of [admin, plain.token]) {
      const { status, body } = await world.call("GET", "/users", { query: `${name}=maybe`, token });
      expect([status, body.error]).toEqual([400, `${name} is invalid`]);
    }
  });
}

for (const query of ["order_by=email", "order_by=ID", "sort=up", "sort=DESC"]) {
  test(`?${query} is not in the list`, async () => {
    const { status, body } = await world.get(`/users?${query}`);
    expect([status, body.error]).toEqual([400, `${query.split("=")[0]} does not have a valid value`]);
  });
}

test("the default order is by id, downwards", async () => {
  const ids = (await world.get("/users?per_page=100")).body.map((user: Json) => user.id);
  expect(ids).toEqual(ids.toSorted((a: number, b: number) => b - a));
});

test("text is ordered whatever its case, and equal texts by id in the same direction", async () => {
  const ordered = await startWorld();
  const ids: number[] = [];
  for (const name of ["bert", "Anna", "Bert", "anna", "ÄNNE", "änne", "Zoe"])
    ids.push((await ordered.user({ name })).id);
  const byName = async (query: string) =>
    (await ordered.get(`/users?order_by=name&username_ignored=1&${query}`)).body
      .filter((user: Json) => user.id !== 1)
      .map((user: Json) => ids.indexOf(user.id));
  expect(await byName("sort=asc")).toEqual([1, 3, 0, 2, 6, 4, 5]);
  expect(await byName("sort=desc")).toEqual([5, 4, 6, 2, 0, 3, 1]);
  expect(await byName("")).toEqual([5, 4, 6, 2, 0, 3, 1]);
});

for (const orderBy of ["username", "created_at", "updated_at", "id"]) {
  test(`order_by=${orderBy} works for all callers`, async () => {
    for (const token of [admin, plain.token]) {
      const up = await world.call("GET", `/users?per_page=100&order_by=${orderBy}&sort=asc`, { token });
      const down = await world.call("GET", `/users?per_page=100&order_by=${orderBy}`, { token });
      const ids = (answer: Json) => answer.body.map((user: Json) => user.id);
      expect(ids(down)).toEqual(ids(up).toReversed());
    }
  });
}

test("usernames are ordered whatever their case", async () => {
  const usernames = (await world.get("/users?per_page=100&order_by=username&sort=asc")).body.map((user: Json) =>
    user.username.toLowerCase(),
  );
  expect(usernames).toEqual(usernames.toSorted());
});

test("community ignores the paid filters", async () => {
  const community = await startWorld({ edition: "community" });
  for (const query of ["auditors=true", "saml_provider_id=1", "skip_ldap=true"]) {
    expect((await community.get(`/users?${query}`)).body).toHaveLength(1);
  }
});
