import { beforeEach, expect, test } from "bun:test";
import fc from "fast-check";
import { stringify } from "yaml";
import { pictureKinds } from "../../support/browser/pictures.ts";
import { avatarText, contractExample, exportedFrom, largeFixture } from "../../support/fixtures/fixtures.ts";
import { rootToken, startWorld } from "../../support/fixtures/world.ts";

const world = await startWorld({ sandbox: true });
await world.rootPasswordStored();

const reset = () => world.call("POST", "/-/sandbox/reset", { token: rootToken });

beforeEach(async () => {
  expect((await reset()).status).toBe(204);
});

/** The export of a sandbox that has nothing but this. */
async function exportOf(fixture: string): Promise<string> {
  expect((await reset()).status).toBe(204);
  const { status, text } = await world.call("POST", "/-/sandbox/fixtures", { token: rootToken, raw: fixture });
  expect([status, status === 201 ? "" : `${text}\n${fixture}`]).toEqual([201, ""]);
  return exportedFrom(world);
}

test("the export of the contract's example has all of it, and no token", async () => {
  const exported = await exportOf(contractExample);
  const created_at = new Date(world.clock.now()).toISOString();
  expect(exported).toBe(`users:
  - username: mara
    admin: true
  - username: kofi
groups:
  - path: skylark
    members:
      kofi: developer
      mara: owner
  - path: skylark/apps
    members:
      mara: owner
projects:
  - path: skylark/apps/station
    files:
      .gitlab-ci.yml: "test: { script: [make] }"
      README.md: "# Station"
    protected_branches:
      - name: main
    issues:
      - title: Too blue
        labels:
          - bug
        created_at: ${created_at}
        author: kofi
    labels:
      - name: bug
`);
  expect(await exportOf(exported)).toBe(exported);
});

test("the export of the large fixture is applied to an empty sandbox, and exported as the same text", async () => {
  const exported = await exportOf(largeFixture);
  expect(await exportOf(exported)).toBe(exported);
  for (const secret of ["mara-token", "runner-token", "glptt-", "glrt-", "password"])
    expect(exported).not.toContain(secret);
  expect(exported).toMatchSnapshot();
});

test("the export of an empty sandbox is an empty fixture that can be applied", async () => {
  const exported = await exportedFrom(world);
  expect(exported).toBe("{}\n");
  expect(await exportOf(exported)).toBe(exported);
});

test("lists of more than a page are exported whole", async () => {
  const titles = Array.from({ length: 130 }, (_, at) => `t${at}`);
  const names = titles.map((title) => title.replace("t", "user"));
  const exported = await exportOf(
    stringify({
      users: names.map((username) => ({ username })),
      projects: [
        {
          path: "user0/made",
          labels: titles,
          issues: titles,
          members: Object.fromEntries(names.slice(1).map((name) => [name, "guest"])),
        },
      ],
    }),
  );
  const { users, projects } = Bun.YAML.parse(exported) as { users: unknown[]; projects: Record<string, object>[] };
  const counts = Object.entries(projects[0] ?? {}).map(([key, value]) => [key, Object.keys(value).length]);
  expect([users.length, Object.fromEntries(counts)]).toEqual([
    130,
    { path: 10, members: 130, issues: 130, labels: 130 },
  ]);
});

test("an alert that was opened again, and payloads that nest deeply, are exported so that they can be applied", async () => {
  const deep = `{"title":"deep","a":${"[".repeat(60)}${"]".repeat(60)}}`;
  const alert = { payload: { title: "Hot", fingerprint: "f" } };
  await exportOf(
    JSON.stringify({
      groups: [
        {
          path: "gg",
          projects: [
            {
              path: "p",
              alert_management_alerts: [{ ...alert, status: "resolved" }, alert, { payload: deep }],
              error_tracking_settings: { active: true, integrated: true },
              error_tracking_errors: [{ payload: deep.replace("{", '{"exception":[{"type":"A"}],') }],
            },
          ],
        },
      ],
    }),
  );
  const alerts = "/projects/gg%2Fp/alert_management_alerts";
  const change = (iid: number, status: string) =>
    world.call("PUT", `${alerts}/${iid}`, { token: rootToken, json: { status } });
  expect([(await change(2, "resolved")).status, (await change(1, "triggered")).status]).toEqual([200, 200]);
  const exported = await exportedFrom(world);
  expect(await exportOf(exported)).toBe(exported);
  const again = (await world.get(`${alerts}?order_by=created_at&sort=asc`)).body as Record<string, unknown>[];
  expect(again.map(({ title, status }) => [title, status])).toEqual([
    ["Hot", "resolved"],
    ["Hot", "triggered"],
    ["deep", "triggered"],
  ]);
  expect((await world.get(`${alerts}/3`)).body.payload).toEqual(JSON.parse(deep));
});

const signs = [..."abc XYZ 019 -:#'\"&*!|>%@`{}[],?\\/~=+<$()é😀ß_."];
const line = fc.string({ unit: fc.constantFrom(...signs), maxLength: 20 }).map((text) => `t${text.trimEnd()}`);
const text = fc.array(line, { maxLength: 3 }).map((lines) => lines.join("\n"));
const usernames = ["ada", "ben", "cleo", "dina"];
const groupPaths = ["alpha", "alpha/sub", "beta"];
const levels = ["guest", "reporter", "developer", "maintainer", "owner"];
const someone = fc.constantFrom(...usernames);
const visibility = fc.constantFrom("private", "internal", "public");
const day = fc.date({ min: new Date("2030-01-01"), max: new Date("2040-01-01"), noInvalidDate: true });
const date = day.map((each) => each.toISOString().slice(0, 10));
const members = fc.dictionary(someone, fc.constantFrom(...levels), { maxKeys: 3 });
const avatar = fc.constantFrom(...pictureKinds.map(avatarText));
const optional = { requiredKeys: [] as [] };
const runner = fc.record({ description: line, paused: fc.boolean(), tag_list: fc.constant(["x", "y"]) }, optional);
const runners = fc.array(runner, { maxLength: 2 });
const anything = fc.dictionary(line, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 3 });
const alert = fc
  .record({ title: line, more: anything, status: fc.constantFrom("triggered", "acknowledged", "resolved", "ignored") })
  .map(({ title, more, status }) => ({ payload: { title, ...more }, status }));
const trackedError = fc
  .record({ type: line, value: text, more: anything, status: fc.constantFrom("unresolved", "resolved", "ignored") })
  .map(({ type, value, more, status }) => ({ payload: { exception: [{ type, value }], ...more }, status }));
const titled = fc.record({ title: line, description: text, due_date: date }, { requiredKeys: ["title"] });
const milestones = fc.uniqueArray(titled, { selector: ({ title }) => title.toLowerCase(), maxLength: 2 });

const user = (username: string) =>
  fc
    .record({ bio: text, avatar, admin: fc.boolean(), location: line, block: fc.constant(true) }, optional)
    .map((fields) => ({ username, ...fields }));
const group = (path: string) =>
  fc
    .record(
      {
        description: text,
        avatar,
        runners,
        members,
        labels: fc.uniqueArray(fc.constantFrom("red", "blue"), { maxLength: 2 }),
      },
      optional,
    )
    .map((fields) => ({ path, ...fields }));
const note = fc.record(
  { body: text.map((body) => `n${body}`), author: someone, internal: fc.boolean() },
  { requiredKeys: ["body"] },
);
const issue = (titles: readonly string[]) =>
  fc.record(
    {
      ...{ title: line, description: text, author: someone, confidential: fc.boolean(), due_date: date },
      assignees: fc.uniqueArray(someone, { minLength: 1, maxLength: 2 }),
      labels: fc.uniqueArray(fc.constantFrom("red", "green", "new one"), { minLength: 1, maxLength: 2 }),
      state_event: fc.constant("close"),
      ...(titles.length === 0 ? {} : { milestone: fc.constantFrom(...titles) }),
      notes: fc.array(note, { maxLength: 2 }),
    },
    { requiredKeys: ["title"] },
  );
const files = fc.dictionary(fc.constantFrom("README.md", "a/b.txt", "c", ".gitlab-ci.yml"), text, {
  minKeys: 1,
  maxKeys: 3,
});
const project = (path: string) =>
  milestones.chain((own) =>
    fc
      .record(
        {
          ...{
            description: text,
            avatar,
            runners,
            visibility: fc.constant("private"),
            members,
            issues_enabled: fc.boolean(),
            files,
            alert_management_alerts: fc.array(alert, { maxLength: 3 }),
            error_tracking_settings: fc.constant({ active: true, integrated: true }),
            error_tracking_errors: fc.array(trackedError, { maxLength: 3 }),
          },
          issues: fc.array(issue(own.map(({ title }) => title)), { maxLength: 3 }),
          labels: fc.constant(["green"]),
          branches: fc.constant(["dev"]),
          tags: fc.constant(["v1", { tag_name: "v2", message: "two" }]),
        },
        optional,
      )
      .map(({ branches, tags, ...fields }) => ({
        ...{ path, ...fields, milestones: own },
        // The API takes no issue where they are switched off.
        ...(fields.issues_enabled === false ? { issues: [] } : {}),
        ...(fields.error_tracking_settings === undefined ? { error_tracking_errors: [] } : {}),
        // The user of a namespace owns its projects.
        members: Object.fromEntries(
          Object.entries(fields.members ?? {}).filter(([name]) => !path.startsWith(`${name}/`)),
        ),
        // An empty repository has neither.
        ...(fields.files === undefined ? {} : { branches: branches ?? [], tags: tags ?? [] }),
      })),
  );
const fixture = fc
  .tuple(fc.uniqueArray(fc.constantFrom(...groupPaths), { maxLength: 3 }), visibility)
  .chain(([paths]) => {
    const there = paths.includes("alpha") ? paths : paths.filter((path) => path !== "alpha/sub");
    const places = [...there, ...usernames];
    return fc.record({
      users: fc.tuple(...usernames.map(user)),
      runners,
      groups: fc.tuple(...there.map(group)),
      projects: fc
        .uniqueArray(fc.constantFrom(...places), { maxLength: 2 })
        .chain((chosen) => fc.tuple(...chosen.map((place) => project(`${place}/made`)))),
    });
  });

test("apply and export give the same text again, for any fixture", async () => {
  await fc.assert(
    fc.asyncProperty(fixture, async (drawn) => {
      const exported = await exportOf(stringify(drawn));
      expect(await exportOf(exported)).toBe(exported);
      const said = Bun.YAML.parse(exported) as typeof drawn;
      expect(said.users.map(({ username }) => username)).toEqual([...usernames]);
      expect((said.projects ?? []).map(({ path, files: own = {} }) => [path, own])).toEqual(
        drawn.projects.map(({ path, files: own = {} }) => [path, own]),
      );
    }),
    { numRuns: 8 },
  );
}, 120_000);
