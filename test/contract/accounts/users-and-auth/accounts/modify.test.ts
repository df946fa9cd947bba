import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { users } from "../../../../../src/modules/core/users/records.ts";
import { formerPaths, namespaces } from "../../../../../src/modules/groups-and-projects/namespaces-api/records.ts";
import { userAttributes as given } from "../../../../support/fixtures/user-attributes.ts";
import { type Json, rootToken, startWorld } from "../../../../support/fixtures/world.ts";

const world = await startWorld();
const plain = await world.user();
let count = 0;
const fresh = (prefix = "mod") => {
  count += 1;
  return `${prefix}${count}`;
};

const put = (id: number, json: object, token: string | undefined = rootToken) =>
  world.call("PUT", `/users/${id}`, { token, json });
const recordOf = (id: number): Json => world.store.of(users).get(id);

/** Nothing at all is changed by a modification that failed. */
async function refused(id: number, json: object): Promise<[number, unknown]> {
  const before = [recordOf(id), world.events().length, world.store.of(namespaces).get(recordOf(id).namespace_id)];
  const { status, body } = await put(id, json);
  expect([recordOf(id), world.events().length, world.store.of(namespaces).get(recordOf(id).namespace_id)]).toEqual(
    before,
  );
  return [status, body];
}

test("only administrators modify users; the shape comes before that, existence after", async () => {
  expect((await world.call("PUT", `/users/${plain.id}`, { json: {} })).status).toBe(401);
  expect((await put(999_999, { admin: "maybe" }, plain.token)).status).toBe(400);
  const other = await put(999_999, {}, plain.token);
  expect([other.status, other.body]).toEqual([403, { message: "403 Forbidden" }]);
  const own = await put(plain.id, { bio: "x" }, plain.token);
  expect([own.status, own.body]).toEqual([403, { message: "403 Forbidden" }]);
  const unknown = await put(999_999, {});
  expect([unknown.status, unknown.body]).toEqual([404, { message: "404 User Not Found" }]);
  expect((await world.call("PUT", "/users/ASDF", { token: rootToken, json: {} })).status).toBe(404);
});

const { admin, auditor, ...same } = given;
const shown = { ...same, is_admin: admin, is_auditor: auditor };

test("the user gets all attributes, and the answer is the administrator's representation", async () => {
  const { id } = await world.user();
  const { status, body } = await put(id, { ...given, view_diffs_file_by_file: true });
  expect([status, body]).toEqual([200, expect.objectContaining(shown)]);
  const { highest_role, current_sign_in_ip, last_sign_in_ip, sign_in_count, plan, trial, ...single } = (
    await world.get(`/users/${id}`)
  ).body;
  expect(body).toEqual(single);
  expect(recordOf(id).view_diffs_file_by_file).toBe(true);
});

test("each attribute changes nothing but itself", async () => {
  const { id } = await world.user({ skip_confirmation: true });
  for (const [name, value] of Object.entries(given)) {
    const before = (await world.get(`/users/${id}`)).body;
    await put(id, { [name]: value });
    const after = (await world.get(`/users/${id}`)).body;
    const field = { admin: "is_admin", auditor: "is_auditor" }[name] ?? name;
    const derived = ["work_information", "can_create_project"];
    const changed = Object.keys(after).filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
    expect(changed.filter((key) => !derived.includes(key))).toEqual([field]);
  }
});

test("any set of attributes leads to the same user, in one request or several", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom(...Object.keys(given)), fc.nat({ max: 3 })), { maxLength: 12 }),
      async (picks) => {
        const [at, bit] = [await world.user({ name: "Same" }), await world.user({ name: "Same" })];
        const chosen = Object.fromEntries(picks.map(([name]) => [name, given[name as keyof typeof given]]));
        const whole = (await put(at.id, chosen)).body;
        let last = (await put(bit.id, {})).body;
        for (let portion = 0; portion <= 3; portion += 1) {
          const names = picks.filter(([, which]) => which === portion).map(([name]) => name);
          last = (await put(bit.id, Object.fromEntries(names.map((name) => [name, chosen[name]])))).body;
        }
        for (const name of Object.keys(shown)) expect([name, last[name]]).toEqual([name, whole[name]]);
      },
    ),
    { numRuns: 25 },
  );
});

test("null clears texts", async () => {
  const { id } = await world.user({ ...given, skip_confirmation: true });
  const texts = ["bio", "linkedin", "skype", "twitter", "discord", "website_url", "job_title"];
  const nullable = ["location", "organization", "pronouns", "note", "public_email"];
  const limits = ["shared_runners_minutes_limit", "extra_shared_runners_minutes_limit"];
  await put(id, { public_email: (await world.get(`/users/${id}`)).body.email });
  const { body } = await put(id, Object.fromEntries([...texts, ...nullable, ...limits].map((name) => [name, null])));
  for (const name of texts) expect([name, body[name]]).toEqual([name, ""]);
  for (const name of [...nullable, ...limits]) expect([name, body[name]]).toEqual([name, null]);
});

test("null counts as absent where an attribute cannot be null", async () => {
  const { id, record } = await world.user(given);
  const names = ["name", "username", "email", "password", "admin", "external", "can_create_group", "theme_id"];
  const { status, body } = await put(id, Object.fromEntries(names.map((name) => [name, null])));
  expect([status, body.name, body.username, body.is_admin]).toEqual([200, record.name, record.username, true]);
});

test("private_profile null takes the instance's default", async () => {
  const { id } = await world.user({ private_profile: true });
  expect((await put(id, { private_profile: null })).body.private_profile).toBe(false);
  const settings = (value: boolean) =>
    world.call("PUT", "/application/settings", { token: rootToken, json: { user_defaults_to_private_profile: value } });
  await settings(true);
  expect((await put(id, {})).body.private_profile).toBe(false);
  expect((await put(id, { private_profile: null })).body.private_profile).toBe(true);
  await settings(false);
});

const verified = ["must be an email you have verified"];
for (const [json, errors] of [
  [{ name: "" }, { name: ["can't be blank"] }],
  [{ name: "x".repeat(256) }, { name: ["is too long (maximum is 255 characters)"] }],
  [{ username: "a" }, { username: ["is too short (minimum is 2 characters)"] }],
  [{ username: "admin" }, { username: ["admin is a reserved name"] }],
  [{ email: "no address" }, { email: ["is invalid"] }],
  [{ email: "" }, { email: ["is invalid"] }],
  [{ email: "no address", skip_reconfirmation: true }, { email: ["is invalid"] }],
  [{ password: "short" }, { password: ["is too short (minimum is 8 characters)"] }],
  [{ password: "" }, { password: ["can't be blank"] }],
  [{ password: "password1" }, { password: ["must not contain commonly used combinations of words and letters"] }],
  [{ bio: "x".repeat(256) }, { bio: ["is too long (maximum is 255 characters)"] }],
  [{ website_url: "no url" }, { website_url: ["is not a valid URL"] }],
  [{ public_email: "x@y.example" }, { public_email: verified }],
  [{ commit_email: "x@y.example" }, { commit_email: verified }],
  [{ public_email: "_private" }, { public_email: verified }],
  [{ projects_limit: -1 }, { projects_limit: ["must be greater than or equal to 0"] }],
  [{ color_scheme_id: 50 }, { color_scheme_id: ["50 is not a valid color scheme"] }],
  [{ theme_id: 12 }, { theme_id: ["12 is not a valid theme"] }],
  [
    { bio: "fine", theme_id: 50, name: "" },
    { name: ["can't be blank"], theme_id: ["50 is not a valid theme"] },
  ],
] as [object, object][]) {
  test(`${JSON.stringify(json).slice(0, 60)} is refused`, async () => {
    expect(await refused(plain.id, json)).toEqual([400, { message: errors }]);
  });
}

describe("an attribute that another user has", () => {
  test("is 404: the address before the username, whatever the case", async () => {
    const other = await world.user({ username: fresh("Other") });
    const email = { message: "Email has already been taken" };
    const username = { message: "Username has already been taken" };
    expect(await refused(plain.id, { email: other.email.toUpperCase() })).toEqual([404, email]);
    expect(await refused(plain.id, { email: other.email, skip_reconfirmation: true })).toEqual([404, email]);
    expect(await refused(plain.id, { username: other.username.toUpperCase() })).toEqual([404, username]);
    expect(await refused(plain.id, { username: other.username, email: other.email })).toEqual([404, email]);
  });

  test("as a secondary address is 404 when confirmed, 400 when not", async () => {
    const other = await world.user();
    for (const [skip_confirmation, expected] of [
      [true, [404, { message: "Email has already been taken" }]],
      [false, [400, { message: { email: ["has already been taken"] } }]],
    ] as const) {
      const email = `${fresh()}@second.example`;
      const json = { email, skip_confirmation };
      await world.call("POST", `/users/${other.id}/emails`, { token: rootToken, json });
      for (const skip_reconfirmation of [true, false]) {
        expect(await refused(plain.id, { email, skip_reconfirmation })).toEqual(expected as never);
      }
    }
  });

  test("as an identity is a validation error", async () => {
    const identity = { provider: "saml", extern_uid: fresh() };
    await world.user(identity);
    const text = { message: { "identities.extern_uid": ["has already been taken"] } };
    expect(await refused(plain.id, identity)).toEqual([400, text]);
  });

  test("is accepted from the same user", async () => {
    const user = await world.user({ provider: "saml", extern_uid: fresh() });
    const { username, email, identities } = user.record;
    const { extern_uid } = identities[0];
    const { status, body } = await put(user.id, { username, email, provider: "saml", extern_uid });
    expect([status, body]).toEqual([200, user.record]);
    expect((await put(user.id, { username: username.toUpperCase() })).body.username).toBe(username.toUpperCase());
  });

  test("as the path of a group is a validation error", async () => {
    const path = fresh("group");
    const group = { name: path, path, parent_id: null, owner_id: null };
    world.store.transact((tx) => tx.insert(namespaces, { id: tx.nextId("namespaces"), kind: "group", ...group }));
    const text = { message: { username: ["has already been taken"] } };
    expect(await refused(plain.id, { username: path.toUpperCase() })).toEqual([400, text]);
  });
});

describe("the address", () => {
  const listed = async (id: number) =>
    (await world.get(`/users/${id}/emails`)).body.map((entry: Json) => [entry.email, entry.confirmed_at !== null]);
  const add = (id: number, email: string, skip_confirmation: boolean) =>
    world.call("POST", `/users/${id}/emails`, { token: rootToken, json: { email, skip_confirmation } });

  test("becomes a confirmed secondary one at once, and the old one stays in the list", async () => {
    const user = await world.user({ skip_confirmation: true });
    const email = `${fresh()}@second.example`;
    await add(user.id, email, true);
    const before = world.events().length;
    const { status, body } = await put(user.id, { email: email.toUpperCase() });
    expect([status, body.email, body.commit_email]).toEqual([200, email, email]);
    expect(await listed(user.id)).toEqual([
      [email, true],
      [user.email, true],
    ]);
    const details = { change: "email address", from: user.email, to: email };
    expect(world.events(before)).toMatchObject([{ event_name: "user_email_address_updated", details }]);
    expect((await put(user.id, { email: user.email })).body.email).toBe(user.email);
    expect(await listed(user.id)).toEqual([
      [user.email, true],
      [email, true],
    ]);
  });

  test("waits for confirmation when it is unconfirmed or new, and is not shown", async () => {
    for (const isAdded of [true, false]) {
      const user = await world.user({ skip_confirmation: true });
      const email = `${fresh()}@second.example`;
      if (isAdded) await add(user.id, email, false);
      const before = [await listed(user.id), world.events().length];
      const { status, body } = await put(user.id, { email });
      expect([status, body]).toEqual([200, user.record]);
      expect([await listed(user.id), world.events().length]).toEqual(before);
      expect(recordOf(user.id).unconfirmed_email).toBe(email);
    }
  });

  test("becomes any with skip_reconfirmation, confirmed", async () => {
    for (const isAdded of [true, false]) {
      const user = await world.user();
      const email = `${fresh()}@second.example`;
      if (isAdded) await add(user.id, email, false);
      await put(user.id, { email });
      const { body } = await put(user.id, { email, skip_reconfirmation: true, public_email: email });
      expect([body.email, body.public_email, body.confirmed_at]).toEqual([email, email, world.clock.time()]);
      expect(await listed(user.id)).toEqual([
        [email, true],
        [user.email, false],
      ]);
      expect(recordOf(user.id)).not.toHaveProperty("unconfirmed_email");
    }
  });

  test("that was replaced stays in its other uses", async () => {
    const user = await world.user({ skip_confirmation: true });
    await put(user.id, { public_email: user.email });
    const email = `${fresh()}@second.example`;
    const { body } = await put(user.id, { email, skip_reconfirmation: true });
    expect([body.email, body.public_email]).toEqual([email, user.email]);
  });

  test("may be public and used for commits once it is verified, and hidden in commits", async () => {
    const user = await world.user({ skip_confirmation: true });
    const [open, closed] = [`${fresh()}@second.example`, `${fresh()}@second.example`];
    await add(user.id, open, false);
    await add(user.id, closed, true);
    for (const name of ["public_email", "commit_email"]) {
      expect(await refused(user.id, { [name]: open })).toEqual([400, { message: { [name]: verified } }]);
      for (const email of [closed, user.email]) {
        expect((await put(user.id, { [name]: email })).body[name]).toBe(email);
      }
    }
    expect((await put(user.id, { commit_email: closed, public_email: "" })).body.public_email).toBeNull();
    const hidden = `${user.id}-${user.username}@users.noreply.${new URL(world.origin).hostname}`;
    expect((await put(user.id, { commit_email: "_private" })).body.commit_email).toBe(hidden);
    expect((await put(user.id, { commit_email: "" })).body.commit_email).toBe(user.email);
  });
});

describe("the username", () => {
  /** The namespace that went by this path last. */
  const targetOf = (path: string) => {
    const former = world.store.of(formerPaths);
    return former.get(former.by.path_key.find(`namespace 0/${path}`) ?? 0)?.target_id;
  };

  test("renames the personal namespace, and its old path redirects", async () => {
    const old = fresh("old");
    const user = await world.user({ username: old, name: "Old Name" });
    const username = fresh("New.");
    const { body } = await put(user.id, { username, name: "New Name" });
    expect([body.username, body.web_url]).toEqual([username, `${world.origin}/${username}`]);
    const namespace = world.store.of(namespaces).get(body.namespace_id);
    expect(namespace).toMatchObject({ path: username, name: "New Name", owner_id: user.id });
    expect(targetOf(old)).toBe(body.namespace_id);
    expect((await world.get("/users", { query: { username: old } })).body).toEqual([]);
    expect((await world.get("/users", { query: { username } })).body[0].id).toBe(user.id);
  });

  test("is free after a change, and then leads to its new user", async () => {
    const old = fresh("left");
    const user = await world.user({ username: old });
    await put(user.id, { username: fresh("gone") });
    const heir = await world.user({ username: old });
    expect(heir.username).toBe(old);
    expect((await put(heir.id, { username: fresh("gone") })).status).toBe(200);
    expect(targetOf(old)).toBe(heir.record.namespace_id);
    expect((await put(user.id, { username: old })).body.username).toBe(old);
  });
});

describe("the password", () => {
  const password = "a very fine password";

  test("expires at once when another user sets it, not when its user does; tokens keep working", async () => {
    const user = await world.user();
    const boss = await world.user({ admin: true });
    expect((await put(user.id, { password })).status).toBe(200);
    expect(recordOf(user.id)).toMatchObject({ password_expires_at: world.clock.time() });
    expect(await Bun.password.verify(password, recordOf(user.id).password_digest)).toBe(true);
    expect((await world.call("GET", "/user", { token: user.token })).status).toBe(200);
    await put(boss.id, { password });
    expect((await put(boss.id, { password }, boss.token)).status).toBe(200);
    expect(recordOf(boss.id).password_expires_at).toBeNull();
  });

  test("is nowhere in answers, events and logs", async () => {
    const user = await world.user();
    const before = world.events().length;
    const { text } = await put(user.id, { password });
    const event = { event_name: "user_password_updated", details: { change: "password" } };
    expect(world.events(before)).toMatchObject([event]);
    expect(world.events(before)[0]?.details).not.toContainAnyKeys(["from", "to"]);
    for (const told of [text, JSON.stringify(world.events(before)), world.logged.join()]) {
      expect(told).not.toContain(password);
      expect(told).not.toContain("argon2");
    }
  });
});

test("external users may create nothing, and cannot get the right to", async () => {
  const { id } = await world.user();
  const { body } = await put(id, { external: true, can_create_group: true, projects_limit: 5 });
  const nothing = { external: true, can_create_group: false, projects_limit: 0, can_create_project: false };
  expect(body).toMatchObject(nothing);
  expect((await put(id, { can_create_group: true, projects_limit: 5 })).body).toMatchObject(nothing);
  const back = (await put(id, { external: false, can_create_group: true, projects_limit: 5 })).body;
  expect(back).toMatchObject({ external: false, can_create_group: true, projects_limit: 5 });
});

test("an identity of the same provider is replaced, of another one added", async () => {
  const { id } = await world.user({ provider: "saml", extern_uid: fresh() });
  const [saml, ldap] = [fresh(), fresh()];
  await put(id, { provider: "ldapmain", extern_uid: ldap });
  const { body } = await put(id, { provider: "saml", extern_uid: saml });
  expect(body.identities).toEqual([
    { provider: "saml", extern_uid: saml, saml_provider_id: null },
    { provider: "ldapmain", extern_uid: ldap, saml_provider_id: null },
  ]);
  const half = await put(id, { provider: "saml" });
  expect([half.status, half.body.error]).toEqual([400, "extern_uid, provider provide all or none of parameters"]);
});

test("the group of a single sign-on is stored with its identity, and never shown", async () => {
  const identity = { provider: "group_saml", extern_uid: fresh(), group_id_for_saml: 7 };
  const user = await world.user(identity);
  expect(user.record.identities).toEqual([
    { provider: "group_saml", extern_uid: identity.extern_uid, saml_provider_id: null },
  ]);
  expect(recordOf(user.id).identities[0].group_id_for_saml).toBe(7);
  await put(user.id, { ...identity, group_id_for_saml: 8 });
  expect(recordOf(user.id).identities[0].group_id_for_saml).toBe(8);
});

test("the community edition leaves the paid attributes as they are", async () => {
  const community = await startWorld({ edition: "community" });
  const { id } = await community.user();
  const json = { auditor: true, shared_runners_minutes_limit: 10 };
  expect((await community.call("PUT", `/users/${id}`, { token: rootToken, json })).status).toBe(200);
  expect(community.store.of(users).get(id)).toMatchObject({ is_auditor: false, shared_runners_minutes_limit: null });
});

test("each changed attribute writes an event, and unchanged ones write none", async () => {
  const user = await world.user({ name: "Before" });
  const username = fresh("after");
  const before = world.events().length;
  await put(user.id, { name: "After", username, admin: true, auditor: true, external: true, bio: "b" });
  const details = (change: string, from: string, to: string) => ({
    details: {
      change,
      from,
      to,
      custom_message: `Changed ${change} from ${from} to ${to}`,
      target_id: user.id,
      target_type: "User",
      target_details: "After",
      entity_path: username,
    },
  });
  expect(world.events(before)).toMatchObject([
    { event_name: "user_name_updated", author_id: 1, entity_id: user.id, ...details("name", "Before", "After") },
    { event_name: "user_username_updated", ...details("username", user.username, username) },
    { event_name: "user_admin_status_updated", ...details("admin status", "false", "true") },
    { event_name: "user_auditor_status_updated", ...details("auditor status", "false", "true") },
    { event_name: "user_external_status_updated", ...details("external status", "false", "true") },
  ]);
  const after = world.events().length;
  await put(user.id, { name: "After", username, admin: true, external: true });
  expect(world.events()).toHaveLength(after);
});

test("only a change of a user updates its time", async () => {
  const user = await world.user({ bio: "same" });
  const { updated_at } = recordOf(user.id);
  world.clock.advance(1_000);
  await put(user.id, { bio: "same", name: user.record.name });
  expect(recordOf(user.id).updated_at).toBe(updated_at);
  await put(user.id, { bio: "other" });
  expect(recordOf(user.id).updated_at).toBe(world.clock.time());
});

describe("while a password is hashed", () => {
  const password = "a very fine password";
  const slowPut = (id: number, json: object, token = rootToken) => put(id, { password, ...json }, token);

  test("the user may be deleted", async () => {
    const user = await world.user();
    const [changed, deleted] = await Promise.all([
      slowPut(user.id, {}),
      world.call("DELETE", `/users/${user.id}`, { token: rootToken }),
    ]);
    expect([changed.status, deleted.status]).toEqual([404, 204]);
  });

  test("the caller may be blocked, and then changes nothing", async () => {
    const boss = await world.user({ admin: true });
    const user = await world.user();
    const [changed] = await Promise.all([
      slowPut(user.id, { bio: "too late" }, boss.token),
      world.call("POST", `/users/${boss.id}/block`, { token: rootToken }),
    ]);
    expect(changed.status).toBe(403);
    expect(recordOf(user.id)).toMatchObject({ bio: "", password_digest: null });
  });

  test("other attributes may change, and stay changed", async () => {
    const user = await world.user();
    await Promise.all([slowPut(user.id, { location: "there" }), put(user.id, { bio: "meanwhile" })]);
    expect(recordOf(user.id)).toMatchObject({ bio: "meanwhile", location: "there" });
  });

  test("one of two requests gets a username", async () => {
    const [one, two] = [await world.user(), await world.user()];
    const username = fresh("wanted");
    const answers = await Promise.all([one, two].map(({ id }) => slowPut(id, { username })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404]);
  });
});
