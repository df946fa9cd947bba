import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sectionsOf } from "../../../src/fixtures/sections.ts";
import { operations } from "../../../src/modules/operations.ts";
import { picture } from "../../support/browser/pictures.ts";
import { avatarText, contractExample, largeFixture } from "../../support/fixtures/fixtures.ts";
import { rootToken, startWorld } from "../../support/fixtures/world.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

const world = await startWorld({ sandbox: true });
await world.rootPasswordStored();

const apply = (raw: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  world.call("POST", "/-/sandbox/fixtures", { token: rootToken, raw, headers });
const reset = () => world.call("POST", "/-/sandbox/reset", { token: rootToken });
beforeEach(async () => {
  expect((await reset()).status).toBe(204);
});

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const read = async (path: string) => (await world.get(path)).body;

test("the example of the contract, word for word", async () => {
  const { status, body } = await apply(contractExample);
  const id = expect.any(Number);
  expect([status, body]).toEqual([
    201,
    {
      users: { mara: { id, token: "mara-token-0000000001" }, kofi: { id } },
      groups: { skylark: { id }, "skylark/apps": { id } },
      projects: { "skylark/apps/station": { id } },
    },
  ]);
  const me = await world.call("GET", "/user", { token: "mara-token-0000000001" });
  expect([me.body.username, me.body.is_admin]).toEqual(["mara", true]);
  const members = (await read("/groups/skylark/members")) as { username: string; access_level: number }[];
  expect(members.map(({ username, access_level }) => [username, access_level]).sort()).toEqual([
    ["kofi", 30],
    ["mara", 50],
  ]);
  const project = "/projects/skylark%2Fapps%2Fstation";
  const [issue, ...others] = await read(`${project}/issues`);
  expect([issue.title, issue.author.username, issue.labels, others]).toEqual(["Too blue", "kofi", ["bug"], []]);
  expect((await world.get(`${project}/repository/files/README.md/raw?ref=main`)).text).toBe("# Station");
  // The file of the pipeline comes last, so it has run once.
  expect(await read(`${project}/pipelines`)).toHaveLength(1);
  expect((await reset()).status).toBe(204);
  expect((await world.get("/users?username=mara")).body).toEqual([]);
});

test("every section of a fixture makes what it says", async () => {
  const { status, text } = await apply(largeFixture);
  expect([status, status === 201 ? "" : text]).toEqual([201, ""]);
  const project = "/projects/skylark%2Fapps%2Fstation";
  const [first, second] = await read(`${project}/issues?order_by=created_at&sort=desc`);
  expect([second.iid, second.milestone.title]).toEqual([7, "v1"]);
  expect(first).toMatchObject({
    state: "closed",
    author: { username: "kofi" },
    assignees: [{ username: "mara" }],
    milestone: { title: "Spring" },
    labels: ["bug", "urgent"],
    confidential: true,
    weight: 3,
    epic: { title: "All" },
    created_at: "2029-01-01T00:00:00.000Z",
    time_stats: { time_estimate: 10_800, total_time_spent: 5_400 },
  });
  const notes = (await read(`${project}/issues/1/notes?sort=asc`)) as { body: string; system: boolean }[];
  expect(notes.filter(({ system }) => !system).map(({ body }) => body)).toEqual(["Indeed", "It is"]);
  const branches = (await read(`${project}/repository/branches`)) as { name: string; default: boolean }[];
  expect(branches.map((branch) => [branch.name, branch.default])).toEqual([
    ["dev", false],
    ["old", false],
    ["trunk", true],
  ]);
  const statuses = (await read(`${project}/repository/commits/trunk/statuses`)) as { name: string; status: string }[];
  expect(statuses.map(({ name, status }) => [name, status])).toContainEqual(["lint", "success"]);
  expect((await world.get(`${project}/packages/generic/tool/1.0/tool.txt`)).text).toBe("text");
  expect(await read(`${project}`)).toMatchObject({ star_count: 2, topics: ["iot", "weather"] });
  const epics = (await read("/groups/skylark/epics")) as { id: number; title: string; parent_id: number | null }[];
  const [all] = epics.filter(({ title }) => title === "All");
  expect(epics.find(({ title }) => title === "Later")?.parent_id).toBe(all?.id ?? 0);
  expect(await read("/projects/mara%2Fown")).toMatchObject({ archived: true });
  expect((await read("/users?username=kofi"))[0].state).toBe("blocked");
  expect(await read("/application/settings")).toMatchObject({ signup_enabled: false });
});

test("the large fixture has every section that the table of operations gives", () => {
  const keys: string[] = [];
  const visit = (sections: ReturnType<typeof sectionsOf>) => {
    for (const { key, below } of sections.values()) {
      keys.push(key);
      visit(below);
    }
  };
  visit(sectionsOf(operations, "ultimate"));
  const written = (key: string) => new RegExp(`[ {]${key}:|^${key}:`, "m").test(largeFixture);
  expect([...new Set(keys)].filter((key) => !written(key))).toEqual([
    "deactivate",
    "ban",
    "changelog",
    "commits",
    "cherry_pick",
    "revert",
    "comments",
    "discussions",
    "merge",
  ]);
});

test("a section never has the name of a field", () => {
  const visit = (sections: ReturnType<typeof sectionsOf>): string[] =>
    [...sections.values()].flatMap((section) => [
      ...[...section.below.keys()].filter((key) => section.fields.has(key)),
      ...visit(section.below),
    ]);
  expect(visit(sectionsOf(operations, "ultimate"))).toEqual([]);
});

const mistakes = `users: [{ username: mara, admn: true, token: short }, { username: kofi, admin: 7 }, {username: kofi}, {}]
group: []
groups:
  - path: skylark
    visibilty: private
    visibility: secret
    members: { mara: ownr, kofu: developer }
  - path: nowhere/apps
    milestones: [v1]
projects:
  - path: skylark/station
    path: again
    issues:
      - { title: Too blue, author: nobody, milestone: v2, assignees: [kofi, x], weight: -3, due_date: tomorrow }
      - labels: [a]
      - title: {}
    labels: [bug, bug, { color: red }]
    branches: dev
    files: [a]
`;

test("all mistakes come at once, each with line, column and path, and nothing is made", async () => {
  const { status, body } = await apply(mistakes);
  const shown = body.errors.map(
    ({ line, column, path, message }: Record<string, string>) => `${line}:${column} ${path}: ${message}`,
  );
  expect([status, body.message]).toEqual([400, "the fixture has 23 mistakes"]);
  expect(shown).toMatchInlineSnapshot(`
    [
      "1:27 users[0].admn: is not a key here; the nearest is admin",
      "1:46 users[0].token: has to be 20 to 255 letters, digits and symbols without spaces",
      "1:80 users[1].admin: admin is invalid",
      "1:86 users[2].username: there is a user kofi in the fixture already",
      "1:103 users[3]: username is missing",
      "2:1 group: is not a key here; the nearest is groups",
      "5:5 groups[0].visibilty: is not a key here; the nearest is visibility",
      "6:17 groups[0].visibility: visibility does not have a valid value",
      "7:22 groups[0].members.mara: access_level is invalid",
      "7:28 groups[0].members.kofu: there is no user "kofu"; the nearest is kofi",
      "8:5 groups[1].path: there is no group "nowhere"; the nearest is skylark",
      "12:5 projects[0].path: is written twice",
      "14:36 projects[0].issues[0].author: there is no user "nobody"; the nearest is kofi",
      "14:55 projects[0].issues[0].milestone: there is no milestone "v2"",
      "14:70 projects[0].issues[0].assignees: there is no user "x"; the nearest is mara",
      "14:89 projects[0].issues[0].weight: weight does not have a valid value",
      "14:103 projects[0].issues[0].due_date: due_date is invalid",
      "15:9 projects[0].issues[1]: title is missing",
      "16:16 projects[0].issues[2].title: title is invalid",
      "17:19 projects[0].labels[1]: bug is in the list already",
      "17:24 projects[0].labels[2]: name is missing",
      "18:15 projects[0].branches: has to be a list",
      "19:12 projects[0].files: has to be a mapping",
    ]
  `);
  expect(await read("/groups")).toEqual([]);
});

describe("refused is", () => {
  test.each([
    ["no YAML", "[", "Flow sequence must end with a ]"],
    ["nothing", "", "a fixture is a mapping"],
    ["a plain value", "5", "a fixture is a mapping"],
    ["a key that is no text", "? {a: b}\n: c", "a key has to be a text"],
    ["an alias in itself", "users: &x [*x]", "the alias *x names nothing that ends before it"],
    ["an unknown alias", "users: *x", "x"],
    ["two documents", "users: []\n---\nusers: []", "multiple documents"],
    ["deep nesting", `users: ${"[".repeat(40)}${"]".repeat(40)}`, "nested too deeply"],
    ["very deep nesting", "[".repeat(100_000), "call stack"],
    [
      "a token of two users",
      "users: [{ username: a, token: twenty-characters-0001 }, { username: b, token: twenty-characters-0001 }]",
      "another user or runner has the same token",
    ],
    ["a name of a user and a group", "users: [{ username: a }]\ngroups: [{ path: A }]", "there is a user A already"],
    ["root again", "users: [{ username: root }]", "there is a user root in the store already"],
    ["a project without a place", "projects: [{ path: alone }]", "path has to begin with a group or a username"],
    [
      "a resource that is not served",
      "users: [{ username: a }]\nprojects: [{ path: a/b, hooks: [{ url: x }] }]",
      "is a resource that Outpost does not serve",
    ],
    [
      "a field by two names",
      "users: [{username: a}]\nprojects: [{ path: a/b, issues: [{ title: x, assignees: [a], assignee_ids: [a] }] }]",
      "assignee_ids is written twice",
    ],
    [
      "a rule of the operation",
      "users: [{ username: a, provider: x }]",
      "extern_uid, provider provide all or none of parameters",
    ],
    [
      "an epic of another group",
      "groups: [{ path: aa, epics: [x] }, { path: bb, projects: [{ path: c, issues: [{ title: t, epic: x }] }] }]",
      'there is no epic "x"',
    ],
  ])("%s", async (_, text, message) => {
    const answer = await apply(text);
    expect(answer.status).toBe(400);
    expect(answer.text.toLowerCase()).toContain(JSON.stringify(message).slice(1, -1).toLowerCase());
    expect(await read("/groups")).toEqual([]);
  });

  test("a text that repeats itself by aliases", async () => {
    const lines = ["a: &a [x, x, x, x, x, x, x, x, x, x]"];
    for (const [before, name] of ["ab", "bc", "cd", "de", "ef"])
      lines.push(`${name}: &${name} [${`*${before}, `.repeat(10)}]`);
    const { status, text } = await apply(lines.join("\n"));
    expect([status, text]).toEqual([400, expect.stringContaining("has too many values")]);
  });

  test("a body above a mebibyte, and one that is not UTF-8", async () => {
    expect((await apply(`users: [] #${"x".repeat(1024 * 1024)}`)).status).toBe(413);
    expect((await apply(new Uint8Array([0xff, 0xfe, 0x00]))).body).toEqual({ message: "the fixture is not UTF-8" });
  });
});

test("an operation that refuses undoes all, files of repositories too, and says where", async () => {
  const before = (await apply("users: [{ username: old }]\nprojects: [{ path: old/one, files: { a: a } }]")).body;
  const text = `users: [{ username: new }]
groups: [{ path: made }]
projects:
  - { path: made/one, files: { a: b } }
  - path: made/two
    files: { a: x, "../b": y }
`;
  const { status, body } = await apply(text);
  expect([status, body.errors]).toEqual([
    400,
    [expect.objectContaining({ line: 6, path: 'projects[1].files["../b"]' })],
  ]);
  expect(await read("/groups")).toEqual([]);
  expect(await read("/users?username=new")).toEqual([]);
  expect((await world.get(`/projects/${before.projects["old/one"].id}/repository/files/a/raw?ref=main`)).text).toBe(
    "a",
  );
  const again = await apply(text.replace(', "../b": y', ""));
  expect(again.status).toBe(201);
  expect((await world.get("/-/sandbox/checkpoints")).body).toEqual([]);
});

describe("avatars", () => {
  test("of users, groups and projects are pictures in data URLs", async () => {
    const fixture = `users: [{ username: una, avatar: "${avatarText("gif")}" }]
groups: [{ path: gg, avatar: "${avatarText()}", projects: [{ path: p, avatar: "${avatarText("jpeg")}" }, { path: q, avatar: null }] }]`;
    const made = await apply(fixture);
    expect([made.status, made.body.errors]).toEqual([201, undefined]);
    const [user] = await read("/users?username=una");
    const shown = async ({ avatar_url }: { avatar_url: string }) => {
      const { headers, text } = await world.get(new URL(avatar_url).pathname);
      return [headers.get("content-type"), text];
    };
    expect(await shown(user)).toEqual(["image/gif", textOf(picture("gif"))]);
    expect(await shown(await read("/groups/gg"))).toEqual(["image/png", textOf(picture("png"))]);
    expect(await shown(await read("/projects/gg%2Fp"))).toEqual(["image/jpeg", textOf(picture("jpeg"))]);
    expect((await read("/projects/gg%2Fq")).avatar_url).toBeNull();
  });

  test("that the API would refuse are mistakes, with all others", async () => {
    const large = Buffer.concat([picture("png"), new Uint8Array(200 * 1024)]).toString("base64");
    const { status, body } = await apply(`users: [{ username: una, avatar: me.png }]
groups:
  - { path: gg, avatar: "data:image/png;base64,${large}" }
  - { path: hh, avatar: "data:image/png;base64,aGVsbG8=" }
  - { path: ii, avatar: ["${avatarText()}"] }
  - { path: jj, avatar: "data:image/png;base64,!!" }`);
    const wanted = "avatar has to be a picture: data:image/png;base64,…";
    expect(status).toBe(400);
    expect(body.errors.map(({ path, message }: Record<string, string>) => [path, message])).toEqual([
      ["users[0].avatar", wanted],
      ["groups[0].avatar", "avatar is too big (should be at most 200 KiB)"],
      ["groups[1].avatar", expect.stringContaining("avatar file format is not supported")],
      ["groups[2].avatar", wanted],
      ["groups[3].avatar", wanted],
    ]);
  });
});

describe("runners", () => {
  const chosen = "a-chosen-token-of-runners";
  const verify = (token: string) => world.call("POST", "/runners/verify", { json: { token } });

  test("serve what they are written in, with tokens that the fixture chooses", async () => {
    const made = await apply(`runners: [{ description: all, token: ${chosen}, tag_list: [a, b] }]
groups: [{ path: gg, runners: [{ description: group, maximum_timeout: 600 }], projects: [{ path: p, runners: [{ description: own, paused: true }, {}] }] }]`);
    expect([made.status, made.body.errors]).toEqual([201, undefined]);
    const runners = (await read("/runners/all?type=instance_type")) as { id: number }[];
    expect((await verify(chosen)).body).toMatchObject({ id: runners[0]?.id, token: chosen });
    expect(await read(`/runners/${runners[0]?.id}`)).toMatchObject({ description: "all", tag_list: ["a", "b"] });
    const [ofGroup, ...others] = await read("/groups/gg/runners?type=group_type");
    expect(await read(`/runners/${ofGroup.id}`)).toMatchObject({ maximum_timeout: 600, groups: [{ name: "gg" }] });
    const own = (await read("/projects/gg%2Fp/runners?type=project_type")) as { description: string }[];
    expect([others, own.map(({ description }) => description).sort()]).toEqual([[], [null, "own"].sort()]);
  });

  test("are refused with each mistake, and where the store has a runner with the token", async () => {
    const { body } = await apply(`users: [{ username: una, token: ${chosen} }]
runners: [{ runner_type: instance_type, token: short }, { maximum_timeout: soon, token: ${chosen} }]`);
    expect(body.errors.map(({ path, message }: Record<string, string>) => [path, message])).toEqual([
      ["runners[0].runner_type", expect.stringContaining("is not a key here")],
      ["runners[0].token", "has to be 20 to 255 letters, digits and symbols without spaces"],
      ["runners[1].maximum_timeout", "maximum_timeout is invalid"],
      ["runners[1].token", "another user or runner has the same token"],
    ]);
    expect((await apply(`runners: [{ token: ${chosen} }]`)).status).toBe(201);
    const again = await apply(`groups: [{ path: gg, runners: [{ description: x, token: ${chosen} }] }]`);
    expect(again.body.errors).toEqual([
      { line: 1, column: 50, path: "groups[0].runners[0].token", message: "token is already that of another runner" },
    ]);
    expect((await world.get("/groups/gg")).status).toBe(404);
  });
});

describe("alerts and errors", () => {
  const project = "/projects/gg%2Fp";

  test("are received as from tools, in any order with what they need", async () => {
    const made = await apply(`users: [{ username: una }]
groups: [{ path: gg, members: { una: owner }, projects: [{ path: p,
  alert_management_alerts: [
    { payload: { title: Hot, fingerprint: f }, status: resolved },
    { payload: { title: Hot again, fingerprint: f }, assignee: una, incident: true },
    { payload: { title: Hot again, fingerprint: f }, integration: tower } ],
  error_tracking_errors: [{ payload: { exception: [{ type: A }] }, status: ignored }, { payload: { exception: [{ type: A }] } }, '{"exception":[{"type":"B"}]}'],
  incident_management_settings: { create_issue: true },
  alert_management_http_integrations: [tower], error_tracking_settings: { active: true, integrated: true } }] }]`);
    expect([made.status, made.body.errors]).toEqual([201, undefined]);
    const alerts = await read(`${project}/alert_management_alerts?order_by=created_at&sort=asc`);
    expect(alerts).toMatchObject([
      { title: "Hot", status: "resolved", event_count: 1, issue_iid: null, integration_id: null },
      { title: "Hot again", status: "triggered", event_count: 2, issue_iid: 1, assignees: [{ username: "una" }] },
    ]);
    expect(await read(`${project}/issues`)).toMatchObject([{ iid: 1, issue_type: "incident" }]);
    const errors = await read(`${project}/error_tracking/errors?status=all&sort=first_seen`);
    expect(errors.map(({ type, status, count }: Record<string, unknown>) => [type, status, count]).sort()).toEqual([
      ["A", "ignored", 2],
      ["B", "unresolved", 1],
    ]);
  });

  test.each([
    ["alert_management_alerts: [{}]", "payload is missing"],
    ["alert_management_alerts: [{ payload: 5 }]", "payload is invalid"],
    ["alert_management_alerts: [{ payload: { title: a }, status: open }]", "status does not have a valid value"],
    ["alert_management_alerts: [{ payload: { a: 1 }, integration: x }]", "integration is not in the project"],
    ["error_tracking_errors: [{ payload: { exception: [{}] } }]", "error_tracking_settings are missing in the project"],
    ["error_tracking_settings: { active: true, integrated: true }, error_tracking_errors: ['{']", "400"],
  ])("are refused: %s", async (sections, message) => {
    const { status, body } = await apply(`groups: [{ path: gg, projects: [{ path: p, ${sections} }] }]`);
    expect([status, body.errors.map((each: { message: string }) => each.message)]).toEqual([
      400,
      [expect.stringContaining(message)],
    ]);
    expect((await world.get("/groups/gg")).status).toBe(404);
  });
});

test("JSON is a fixture too, and names in the store can be used", async () => {
  const json = (value: object) => apply(JSON.stringify(value, null, "\t"), { "content-type": "application/json" });
  expect((await json({ users: [{ username: "mara" }], groups: [{ path: "gg", milestones: ["v1"] }] })).status).toBe(
    201,
  );
  const later = await json({
    projects: [
      { path: "gg/p", members: { mara: "maintainer" }, issues: [{ title: "x", author: "mara", milestone: "v1" }] },
    ],
  });
  expect([later.status, later.body.users, later.body.groups]).toEqual([201, {}, {}]);
  const [issue] = await read("/projects/gg%2Fp/issues");
  expect([issue.author.username, issue.milestone.title]).toEqual(["mara", "v1"]);
  const wrong = await json({ projects: [{ path: "gg/q", issues: [{ title: "x", milestone: "v2" }] }] });
  expect(wrong.body.errors).toEqual([
    { line: 8, column: 6, path: "projects[0].issues[0].milestone", message: 'there is no milestone "v2"' },
  ]);
});

test("versions, switches and numbers are texts where the API takes texts", async () => {
  const text =
    "users: [{ username: una }]\nprojects: [{ path: una/p, files: { a: 1.0 }, tags: [1.0], issues: [{ title: true }, { title: 1e3 }] }]";
  const made = await apply(text);
  expect([made.status, made.text]).toEqual([201, expect.any(String)]);
  expect((await read("/projects/una%2Fp/repository/tags"))[0].name).toBe("1.0");
  expect((await read("/projects/una%2Fp/issues?sort=asc")).map(({ title }: { title: string }) => title)).toEqual([
    "true",
    "1e3",
  ]);
});

test("other callers than administrators get 403, and ordinary servers 404", async () => {
  const person = await world.user();
  const { status } = await world.call("POST", "/-/sandbox/fixtures", { token: person.token, raw: "users: []" });
  const ordinary = await startWorld();
  const unknown = await ordinary.call("POST", "/-/sandbox/fixtures", { token: rootToken, raw: "users: []" });
  expect([status, unknown.status]).toEqual([403, 404]);
});

describe("a fixture of the settings", async () => {
  const folder = await createTempFolder();
  afterAll(() => folder.remove());
  const file = join(folder.path, "fixture.yaml");
  await writeFile(file, contractExample);

  test("is there when the server answers, and again after a reset", async () => {
    const fixed = await startWorld({ sandbox: true, fixture: file });
    const token = "mara-token-0000000001";
    const paths = async () =>
      (await fixed.call("GET", "/projects", { token })).body.map(
        (each: { path_with_namespace: string }) => each.path_with_namespace,
      );
    expect(await paths()).toEqual(["skylark/apps/station"]);
    expect((await fixed.call("DELETE", "/projects/1", { token })).status).toBe(202);
    await fixed.call("POST", "/users", {
      token,
      json: { username: "x", name: "x", email: "x@y.example", force_random_password: true },
    });
    expect((await fixed.call("POST", "/-/sandbox/reset", { token })).status).toBe(204);
    expect(await paths()).toEqual(["skylark/apps/station"]);
    expect((await fixed.get("/users?username=x")).body).toEqual([]);
    const files = await fixed.get("/projects/1/repository/files/README.md/raw?ref=main");
    expect(files.text).toBe("# Station");
  });
});
