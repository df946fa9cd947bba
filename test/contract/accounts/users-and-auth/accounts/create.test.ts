import { expect, test } from "bun:test";
import { users } from "../../../../../src/modules/core/users/records.ts";
import { namespaces } from "../../../../../src/modules/groups-and-projects/namespaces-api/records.ts";
import { userAttributes as given } from "../../../../support/fixtures/user-attributes.ts";
import { rootToken, startWorld } from "../../../../support/fixtures/world.ts";

const world = await startWorld();
const plain = await world.user({ username: "plain", email: "plain@people.example" });

let count = 0;
/** A complete creation, with these attributes instead; undefined leaves one out. */
function attributesOf(attributes: object): Record<string, unknown> {
  count += 1;
  return {
    email: `new${count}@people.example`,
    name: `New ${count}`,
    username: `new${count}`,
    force_random_password: true,
    ...attributes,
  };
}
const create = (attributes: object = {}, token = rootToken) =>
  world.call("POST", "/users", { token, json: attributesOf(attributes) });

/** Nothing at all is left of a creation that failed. */
async function refused(attributes: object): Promise<[number, unknown]> {
  const before = [world.store.of(users).size, world.store.of(namespaces).size, world.events().length];
  const { status, body } = await create(attributes);
  expect([world.store.of(users).size, world.store.of(namespaces).size, world.events().length]).toEqual(before);
  return [status, body];
}

test("only administrators create users; authentication and parameters are checked first", async () => {
  const json = attributesOf({});
  expect((await world.call("POST", "/users", { json: {} })).status).toBe(401);
  expect((await world.call("POST", "/users", { json: {}, token: plain.token })).status).toBe(400);
  const { status, body } = await world.call("POST", "/users", { json, token: plain.token });
  expect([status, body]).toEqual([403, { message: "403 Forbidden" }]);
});

test("JSON, form and multipart create the same user", async () => {
  const attributes = (username: string) => ({
    email: `${username}@people.example`,
    name: "Same Name",
    username,
    password: "a fine password",
    admin: "true",
    bio: "",
    projects_limit: "5",
    view_diffs_file_by_file: "1",
  });
  const multipart = new FormData();
  for (const [name, value] of Object.entries(attributes("by-multipart"))) multipart.set(name, value);
  const answers = [
    await world.call("POST", "/users", { token: rootToken, json: attributes("by-json") }),
    await world.call("POST", "/users", { token: rootToken, form: attributes("by-form") }),
    await world.call("POST", "/users", { token: rootToken, multipart }),
  ];
  for (const { status, body } of answers) {
    expect([status, body.name, body.is_admin, body.projects_limit, body.bio]).toEqual([201, "Same Name", true, 5, ""]);
  }
});

const format =
  "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-' or end in '.', '.git' or '.atom'.";
const separators =
  "can only include non-accented letters, digits, '_', '-' and '.'. " +
  "It must not start with '-', '_', or '.', nor end with '-', '_', '.', '.git', or '.atom'.";
const extension = "ending with a reserved file extension is not allowed.";
const sentencesAbout = (username: string) => {
  if (/\.(json|html|png)$/i.test(username)) return [extension];
  return /^[a-z0-9.]+$/i.test(username) && !username.endsWith(".") ? [format] : [separators, format];
};
const long = (length: number, character = "x") => character.repeat(length);
const verified = "must be an email you have verified";

for (const [attributes, errors] of [
  [{ email: "no address" }, { email: ["is invalid"] }],
  [{ email: "" }, { email: ["is invalid"] }],
  [{ email: "a@b@c" }, { email: ["is invalid"] }],
  [{ email: "a b@c.example" }, { email: ["is invalid"] }],
  [{ email: "@c.example" }, { email: ["is invalid"] }],
  [{ email: "a@" }, { email: ["is invalid"] }],
  [{ email: `${long(250)}@c.example` }, { email: ["is invalid"] }],
  [{ username: "a_" }, { username: [separators] }],
  [{ username: "_a" }, { username: [separators] }],
  [{ username: "a-" }, { username: [separators] }],
  [{ username: "..a" }, { username: [separators] }],
  [{ username: "a..b" }, { username: [separators] }],
  [{ username: "__proto__" }, { username: [separators] }],
  [{ name: "" }, { name: ["can't be blank"] }],
  [{ name: "  \t " }, { name: ["can't be blank"] }],
  [{ name: long(256) }, { name: ["is too long (maximum is 255 characters)"] }],
  [{ name: long(128) }, { name: ["is too long (maximum is 127 characters)"] }],
  [{ name: `a ${long(128)}` }, { name: ["is too long (maximum is 127 characters)"] }],
  [{ username: "" }, { username: ["can't be blank"] }],
  [{ username: "a" }, { username: ["is too short (minimum is 2 characters)"] }],
  [{ username: long(256) }, { username: ["is too long (maximum is 255 characters)"] }],
  ...[
    "-ab",
    "ab.",
    "a b",
    "a/b",
    "ab.git",
    "ab.atom",
    "ab.json",
    "ab.HTML",
    "ab.png",
    "äb",
    "a@b",
    "🦊🦊",
    "a\u200bb",
  ].map((username) => [{ username }, { username: sentencesAbout(username) }] as const),
  ...["admin", "api", "Dashboard", "explore", "groups", "help", "import", "jwt", "login", "oauth", "profile"].map(
    (username) => [{ username }, { username: [`${username} is a reserved name`] }] as const,
  ),
  ...["projects", "public", "search", "unsubscribes", "uploads", "users", "v2"].map(
    (username) => [{ username }, { username: [`${username} is a reserved name`] }] as const,
  ),
  [{ password: "short", force_random_password: undefined }, { password: ["is too short (minimum is 8 characters)"] }],
  [{ password: "Pass1", force_random_password: false }, { password: ["is too short (minimum is 8 characters)"] }],
  [{ password: long(129), force_random_password: false }, { password: ["is too long (maximum is 128 characters)"] }],
  ...["password", "password1", "12345678", "QWERTYUIOP"].map(
    (password) =>
      [
        { password, force_random_password: undefined },
        { password: ["must not contain commonly used combinations of words and letters"] },
      ] as const,
  ),
  [{ password: "", force_random_password: undefined }, { password: ["can't be blank"] }],
  [{ force_random_password: false, reset_password: false }, { password: ["can't be blank"] }],
  [{ force_random_password: false }, { password: ["can't be blank"] }],
  [{ bio: long(256) }, { bio: ["is too long (maximum is 255 characters)"] }],
  [{ bio: long(256, "🦊") }, { bio: ["is too long (maximum is 255 characters)"] }],
  [{ pronouns: long(51) }, { pronouns: ["is too long (maximum is 50 characters)"] }],
  [{ job_title: long(201) }, { job_title: ["is too long (maximum is 200 characters)"] }],
  ...["linkedin", "skype", "twitter", "location", "organization", "note"].map(
    (name) => [{ [name]: long(501) }, { [name]: ["is too long (maximum is 500 characters)"] }] as const,
  ),
  ...["d", "1".repeat(16), "1".repeat(21), ` ${"1".repeat(17)}`].map(
    (discord) => [{ discord }, { discord: ["must contain only a discord user ID."] }] as const,
  ),
  [{ website_url: "no url" }, { website_url: ["is not a valid URL"] }],
  [{ website_url: "javascript:alert(1)" }, { website_url: ["is not a valid URL"] }],
  [{ public_email: "x@y.example" }, { public_email: [verified] }],
  [{ commit_email: "x@y.example" }, { commit_email: [verified] }],
  [{ projects_limit: -1 }, { projects_limit: ["must be greater than or equal to 0"] }],
  [{ color_scheme_id: 50 }, { color_scheme_id: ["50 is not a valid color scheme"] }],
  [{ color_scheme_id: 0 }, { color_scheme_id: ["0 is not a valid color scheme"] }],
  [{ theme_id: 50 }, { theme_id: ["50 is not a valid theme"] }],
  [{ theme_id: 0 }, { theme_id: ["0 is not a valid theme"] }],
  [
    { email: "x", name: "", bio: long(300) },
    {
      email: ["is invalid"],
      name: ["can't be blank"],
      bio: ["is too long (maximum is 255 characters)"],
    },
  ],
] as [object, object][]) {
  const [attribute = "", value] = Object.entries(attributes)[0] ?? [];
  test(`${attribute} ${JSON.stringify(value)?.slice(0, 40)} ${JSON.stringify(errors).slice(0, 60)}`, async () => {
    expect(await refused(attributes)).toEqual([400, { message: errors }]);
  });
}

for (const attributes of [
  { name: long(127) },
  { name: `${long(127)} ${long(127)}` },
  { name: long(127, "🦊") },
  { name: "李小龙 \u202e مرحبا" },
  { name: '<script>alert("x")</script> &' },
  { bio: long(255, "🦊") },
  { bio: long(255) },
  { note: long(500) },
  { pronouns: long(50), job_title: long(200), skype: long(500) },
  { password: long(8), force_random_password: undefined },
  { password: long(64, "x "), force_random_password: undefined },
  { password: "plain new1 people", force_random_password: undefined },
  { password: "short", reset_password: true, force_random_password: undefined },
  { password: "password", force_random_password: true },
  { reset_password: true, force_random_password: true },
  { theme_id: 11 },
  { theme_id: 13 },
  { color_scheme_id: 6 },
  { projects_limit: 0 },
  { projects_limit: 2_147_483_647 },
  { website_url: "https://x.example/a?b" },
  { website_url: "" },
  { email: "ünïcode@exämple.example" },
  { email: "a+b@c" },
  { public_email: "", commit_email: "" },
  { public_email: null, commit_email: null, note: null, location: null, skype: null, bio: null },
  { commit_email: "_private" },
  { unknown: { deep: true }, id: 1, is_admin: true, state: "banned" },
].map((attributes) => attributes as object)) {
  test(`${JSON.stringify(attributes).slice(0, 60)} is fine`, async () => {
    const { status, body } = await create(attributes);
    expect(status).toBe(201);
    expect([body.is_admin, body.state]).toEqual([false, "active"]);
  });
}

for (const username of ["a.b.c", "ab.txt1", "0", "007", "constructor", "toString"]) {
  const isFine = username.length >= 2;
  test(`the username ${username} is ${isFine ? "fine" : "too short"}, and finds its user`, async () => {
    const { status, body } = await create({ username });
    expect(status).toBe(isFine ? 201 : 400);
    const found = await world.get("/users", { query: { username: username.toUpperCase() } });
    expect(found.body.map((user: { id: number }) => user.id)).toEqual(isFine ? [body.id] : []);
  });
}

test("the server trims the name and lowers the case of the address", async () => {
  const { body } = await create({ name: "  Ann  Quist ", email: " Ann@Quist.EXAMPLE " });
  expect([body.name, body.email]).toEqual(["Ann  Quist", "ann@quist.example"]);
});

for (const limit of [2_147_483_648, -2_147_483_649, "9".repeat(30)]) {
  test(`projects_limit ${limit} is refused`, async () => {
    expect((await create({ projects_limit: limit })).status).toBe(400);
  });
}

test("external users may create neither groups nor projects, whatever the request says", async () => {
  const { body } = await create({ external: true, can_create_group: true, projects_limit: 7 });
  expect([body.external, body.can_create_group, body.projects_limit, body.can_create_project]).toEqual([
    true,
    false,
    0,
    false,
  ]);
});

test("a user with a projects_limit may create projects, with or without the right to create groups", async () => {
  const none = (await create({ projects_limit: 0 })).body;
  expect([none.can_create_project, none.can_create_group]).toEqual([false, true]);
  const one = (await create({ projects_limit: 1, can_create_group: false })).body;
  expect([one.can_create_project, one.can_create_group]).toEqual([true, false]);
});

test("the user has all attributes of the request", async () => {
  const { body } = await create(given);
  const { admin, auditor, ...same } = given;
  expect(body).toMatchObject({ ...same, is_admin: admin, is_auditor: auditor });
});

test("a confirmed address may be public and used for commits", async () => {
  const email = "Confirmed@people.example";
  const { status, body } = await create({ email, skip_confirmation: true, public_email: email, commit_email: email });
  expect(status).toBe(201);
  expect(body.confirmed_at).toBe(world.clock.time());
  expect(body.public_email.toLowerCase()).toBe(email.toLowerCase());
});

test("the community edition ignores the paid attributes", async () => {
  const community = await startWorld({ edition: "community" });
  const { record } = await community.user({ auditor: true, shared_runners_minutes_limit: 10 });
  expect(record).not.toHaveProperty("is_auditor");
  expect(community.store.of(users).get(record.id)).toMatchObject({
    is_auditor: false,
    shared_runners_minutes_limit: null,
  });
});

test("provider and extern_uid make an identity, which is unique", async () => {
  const identity = { provider: "saml", extern_uid: "someone" };
  const { body } = await create(identity);
  expect(body.identities).toEqual([{ ...identity, saml_provider_id: null }]);
  expect(await refused(identity)).toEqual([400, { message: { "identities.extern_uid": ["has already been taken"] } }]);
  expect((await create({ ...identity, provider: "other" })).status).toBe(201);
});

test("a taken address or username is a conflict, whatever its case; the address is reported first", async () => {
  const email = { message: "Email has already been taken" };
  const username = { message: "Username has already been taken" };
  expect(await refused({ email: "PLAIN@people.example" })).toEqual([409, email]);
  expect(await refused({ username: "PLAIN" })).toEqual([409, username]);
  expect(await refused({ email: "plain@people.example", username: "plain" })).toEqual([409, email]);
});

test("conflicts come before validation errors", async () => {
  const email = { message: "Email has already been taken" };
  const username = { message: "Username has already been taken" };
  expect(await refused({ username: "plain", bio: long(256) })).toEqual([409, username]);
  expect(await refused({ email: "plain@people.example", password: "short" })).toEqual([409, email]);
});

test("the path of a group is taken, and a validation error", async () => {
  world.store.transact((tx) =>
    tx.insert(namespaces, {
      id: tx.nextId("namespaces"),
      kind: "group",
      name: "Bank",
      path: "bank",
      parent_id: null,
      owner_id: null,
    }),
  );
  expect(await refused({ username: "Bank" })).toEqual([400, { message: { username: ["has already been taken"] } }]);
});

test("of two simultaneous creations of the same username, one succeeds", async () => {
  const attributes = {
    username: "twin",
    email: "twin@people.example",
    password: "a fine password",
    force_random_password: undefined,
  };
  const statuses = (await Promise.all([1, 2, 3, 4].map(() => create(attributes)))).map(({ status }) => status);
  expect(statuses.sort()).toEqual([201, 409, 409, 409]);
});

test("each user has a personal namespace, with an id from a sequence of its own", async () => {
  const first = (await create()).body;
  const second = (await create({ username: "Second.Space", name: "Second Space" })).body;
  expect(second.id).toBe(first.id + 1);
  expect(second.namespace_id).toBe(first.namespace_id + 1);
  expect(second.namespace_id).not.toBe(second.id);
  expect(world.store.of(namespaces).get(second.namespace_id)).toMatchObject({
    kind: "user",
    path: "Second.Space",
    name: "Second Space",
    owner_id: second.id,
  });
});

test("a creation writes its audit event in the same transaction", async () => {
  const before = world.events().length;
  const { body } = await create({ username: "audited", name: "Audited Person" });
  const events = world.events(before);
  expect(events).toEqual([
    {
      id: before + 1,
      author_id: 1,
      entity_id: body.id,
      entity_type: "User",
      event_name: "user_created",
      details: {
        event_name: "user_created",
        add: "user",
        custom_message: "User audited created",
        author_name: "Administrator",
        author_email: "root@outpost.test",
        author_class: "User",
        target_id: body.id,
        target_type: "User",
        target_details: "Audited Person",
        ip_address: "127.0.0.1",
        entity_path: "audited",
      },
      created_at: world.clock.time(),
    },
  ]);
});

test("no answer ever holds a password or its digest", async () => {
  const { text, body } = await create({ password: "a secret password", force_random_password: undefined });
  const single = await world.get(`/users/${body.id}`);
  for (const answer of [text, single.text]) {
    expect(answer).not.toContain("secret");
    expect(answer).not.toContain("argon2");
    expect(answer).not.toContain("digest");
  }
  expect(world.store.of(users).get(body.id)?.password_digest).toStartWith("$argon2id$");
});

test("no password works for a random or reset one, so the server hashes nothing", async () => {
  for (const attributes of [{ force_random_password: true }, { reset_password: true, password: "ignored password" }]) {
    const { body } = await create(attributes);
    expect(world.store.of(users).get(body.id)?.password_digest).toBeNull();
  }
});
