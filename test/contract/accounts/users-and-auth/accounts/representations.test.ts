import { expect, test } from "bun:test";
import { putGroup, putProject } from "../../../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld, type World } from "../../../../support/fixtures/world.ts";

const basic = ["id", "username", "name", "state", "locked", "avatar_url", "web_url"];
const hiddenInPrivate = ["created_at", "followers", "following", "is_followed"];
const user = [
  ...basic,
  ...hiddenInPrivate,
  ...["bio", "location", "skype", "linkedin", "twitter", "discord", "website_url", "organization", "job_title"],
  ...["pronouns", "public_email", "bot", "work_information", "local_time"],
];
const own = [
  ...user,
  ...["last_sign_in_at", "confirmed_at", "last_activity_on", "email", "theme_id", "color_scheme_id", "projects_limit"],
  ...["current_sign_in_at", "identities", "can_create_group", "can_create_project", "two_factor_enabled", "external"],
  ...["private_profile", "commit_email", "preferred_language"],
];
const ownPaid = ["shared_runners_minutes_limit", "extra_shared_runners_minutes_limit", "scim_identities"];
const withAdmin = ["is_admin", "note", "namespace_id", "created_by", "email_reset_offered_at"];
const withAdminPaid = ["is_auditor", "using_license_seat", "provisioned_by_group_id"];
const details = ["highest_role", "current_sign_in_ip", "last_sign_in_ip", "sign_in_count"];
const detailsPaid = ["plan", "trial"];

const keys = (body: Json) => Object.keys(body).sort();
const sorted = (...names: string[][]) => names.flat().sort();

async function checkEdition(world: World, isPaid: boolean): Promise<void> {
  const paid = (names: string[]) => (isPaid ? names : []);
  const ann = await world.user();
  const bob = await world.user();
  const as = async (path: string, token?: string) => (await world.call("GET", path, { token })).body;

  expect(keys((await as(`/users?username=${ann.username}`))[0])).toEqual(sorted(basic));
  expect(keys((await as("/users", bob.token))[0])).toEqual(sorted(basic));
  expect(keys(await as(`/users/${ann.id}`, bob.token))).toEqual(sorted(user));
  expect(keys(await as(`/users/${ann.id}`, ann.token))).toEqual(sorted(user));
  expect(keys(await as("/user", ann.token))).toEqual(sorted(own, paid(ownPaid)));

  const everyRecord = sorted(own, paid(ownPaid), withAdmin, paid(withAdminPaid));
  expect(keys((await as("/users", rootToken))[0])).toEqual(everyRecord);
  expect(keys(await as("/user", rootToken))).toEqual(everyRecord);
  expect(keys(ann.record)).toEqual(everyRecord);
  expect(keys((await as(`/users/${ann.id}`, rootToken)).created_by)).toEqual(sorted(basic));
  expect(keys(await as(`/users/${ann.id}`, rootToken))).toEqual(sorted(everyRecord, details, paid(detailsPaid)));
}

const world = await startWorld();

test("each caller sees their fields, no more and no less", () => checkEdition(world, true));

test("premium has the paid fields", async () => checkEdition(await startWorld({ edition: "premium" }), true));

test("community lacks the paid fields", async () => checkEdition(await startWorld({ edition: "community" }), false));

test("a new user has the defaults", async () => {
  const { body } = await world.call("POST", "/users", {
    token: rootToken,
    json: { email: "mara@quist.example", name: "Mara Quist", username: "mara.quist", force_random_password: true },
  });
  const { id, namespace_id } = body;
  const base = world.origin;
  expect(body).toEqual({
    id: expect.any(Number),
    username: "mara.quist",
    name: "Mara Quist",
    state: "active",
    locked: false,
    avatar_url: `${base}/-/avatars/${id}.svg`,
    web_url: `${base}/mara.quist`,
    created_at: world.clock.time(),
    bio: "",
    location: null,
    public_email: null,
    skype: "",
    linkedin: "",
    twitter: "",
    discord: "",
    website_url: "",
    organization: null,
    job_title: "",
    pronouns: null,
    bot: false,
    work_information: null,
    followers: 0,
    following: 0,
    is_followed: false,
    local_time: null,
    last_sign_in_at: null,
    confirmed_at: null,
    last_activity_on: null,
    email: "mara@quist.example",
    theme_id: 1,
    color_scheme_id: 1,
    projects_limit: 100_000,
    current_sign_in_at: null,
    identities: [],
    can_create_group: true,
    can_create_project: true,
    two_factor_enabled: false,
    external: false,
    private_profile: false,
    commit_email: "mara@quist.example",
    preferred_language: "en",
    shared_runners_minutes_limit: null,
    extra_shared_runners_minutes_limit: null,
    scim_identities: [],
    is_admin: false,
    note: null,
    namespace_id: expect.any(Number),
    created_by: {
      id: 1,
      username: "root",
      name: "Administrator",
      state: "active",
      locked: false,
      avatar_url: `${base}/-/avatars/1.svg`,
      web_url: `${base}/root`,
    },
    email_reset_offered_at: null,
    is_auditor: false,
    using_license_seat: true,
    provisioned_by_group_id: null,
  });
  expect(namespace_id).toBeGreaterThan(0);
});

test("root has no creator", async () => {
  expect((await world.get("/users/1")).body.created_by).toBeNull();
});

test("a private profile hides some fields from others, not from its user, nor from administrators", async () => {
  const shy = await world.user({ private_profile: true });
  const other = await world.user();
  const seen = async (token: string) => keys((await world.call("GET", `/users/${shy.id}`, { token })).body);
  expect(await seen(other.token)).toEqual(sorted(user.filter((name) => !hiddenInPrivate.includes(name))));
  expect(await seen(shy.token)).toEqual(sorted(user));
  expect(await seen(rootToken)).toEqual(expect.arrayContaining(hiddenInPrivate));
});

for (const [attributes, workInformation] of [
  [{ job_title: "Engineer", organization: "Outpost" }, "Engineer at Outpost"],
  [{ job_title: "Engineer" }, "Engineer"],
  [{ organization: "Outpost" }, "Outpost"],
  [{}, null],
] as const) {
  test(`work information of ${JSON.stringify(attributes)} is ${workInformation}`, async () => {
    expect((await world.user(attributes)).record.work_information).toBe(workInformation);
  });
}

for (const type of ["project_bot", "group_bot", "human", "ghost"] as const) {
  test(`a ${type} ${type.endsWith("_bot") ? "is" : "is not"} a bot`, async () => {
    const { id } = await world.user();
    world.alter(id, { user_type: type });
    expect((await world.get(`/users/${id}`)).body.bot).toBe(type.endsWith("_bot"));
  });
}

test("a commit address may hide the real one, whatever host the request names", async () => {
  const { id, username } = await world.user({ commit_email: "_private" });
  for (const [host, shown] of [
    ["outpost.example:8080", "outpost.example"],
    ["[::1]", "[::1]"],
    ["a:99999", "127.0.0.1"],
  ] as const) {
    const { status, body } = await world.wire({
      method: "GET",
      target: `/api/v4/users/${id}`,
      headers: { "PRIVATE-TOKEN": rootToken, Host: host },
    });
    expect(status).toBe(200);
    expect(JSON.parse(body).commit_email).toBe(`${id}-${username}@users.noreply.${shown}`);
  }
});

test("an auditor reads users as an administrator does, but their own record as a plain user", async () => {
  const auditor = await world.user({ auditor: true });
  expect((await world.call("GET", "/users", { token: auditor.token })).body[0]).toHaveProperty("email");
  expect((await world.call("GET", "/users/1", { token: auditor.token })).body).toHaveProperty("sign_in_count");
  expect((await world.call("GET", "/user", { token: auditor.token })).body).not.toHaveProperty("is_admin");
  const shy = await world.user({ private_profile: true });
  expect((await world.call("GET", `/users/${shy.id}`, { token: auditor.token })).body).toHaveProperty("created_at");
});

test("the community edition has no auditors, not even those from another edition", async () => {
  const community = await startWorld({ edition: "community" });
  const person = await community.user({ auditor: true });
  community.alter(person.id, { is_auditor: true });
  expect((await community.call("GET", "/users", { token: person.token })).body[0]).not.toHaveProperty("email");
  expect((await community.call("GET", "/users/1", { token: person.token })).body).not.toHaveProperty("email");
  const hidden = putGroup(community);
  const [group, project] = [`/groups/${hidden.id}`, `/projects/${putProject(community, hidden.id).id}`];
  for (const path of [group, project]) {
    expect((await community.call("GET", path, { token: person.token })).status).toBe(404);
  }
});

test("URLs begin with the external URL if there is one", async () => {
  const outside = await startWorld({ externalUrl: "https://outpost.example/base" });
  const { body, headers } = await outside.get("/users");
  expect(body[0].web_url).toBe("https://outpost.example/base/root");
  expect(body[0].avatar_url).toBe("https://outpost.example/base/-/avatars/1.svg");
  expect(headers.get("link")).toStartWith("<https://outpost.example/base/api/v4/users?");
});
