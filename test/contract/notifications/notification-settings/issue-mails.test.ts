import { beforeEach, describe, expect, test } from "bun:test";
import { accessLevels } from "../../../../src/domain/access-level.ts";
import { type MailRecord, mails } from "../../../../src/modules/core/outbox/records.ts";
import { type UserRecord, users } from "../../../../src/modules/core/users/records.ts";
import { mailNote } from "../../../../src/modules/notifications/issue-mails/index.ts";
import { notificationSettings } from "../../../../src/modules/notifications/settings/records.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { type Json, type Person, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { freePort } from "../../../support/process/free-port.ts";

const world = await startWorld({ port: await freePort() });
const { store, context, clock } = world;
const places = placesOf(world);
const group = places.group({ path: "cars" });
const project = places.project(group.id, { path: "van", name: "Van" });

const roles = [
  "actor",
  "author",
  "assignee",
  "commenter",
  "subscriber",
  "unsubscribed",
  "mentioned",
  "bystander",
] as const;
type Role = (typeof roles)[number];
const people = {} as Record<Role, Person>;
for (const role of roles) {
  people[role] = await world.user({ username: role, name: role });
  places.member(group, people[role].id, role === "actor" ? accessLevels.maintainer : accessLevels.reporter);
}
const roleOf = (to: string) => roles.find((role) => people[role].email === to) ?? to;
const path = `/projects/${project.id}/issues`;

/** Mails that are written meanwhile. */
async function mailsOf(act: () => unknown): Promise<MailRecord[]> {
  const log = store.logOf(mails);
  const before = log.size;
  await act();
  return Array.from({ length: log.size - before }, (_, at) => log.get(before + at + 1) as MailRecord);
}

/** The recipients and events of the mails that an act causes, by role. */
async function told(act: () => unknown): Promise<[string, string][]> {
  return (await mailsOf(act)).map(({ to, event }) => [event, roleOf(to)]);
}

async function ask(method: string, at: string, role: Role, json?: Json): Promise<Json> {
  const { status, body, text } = await world.call(method, at, { token: people[role].token, json });
  if (status >= 300) throw new Error(`${status} ${text}`);
  return body;
}

const set = (role: Role, json: Json, at = `/projects/${project.id}`) =>
  ask("PUT", `${at}/notification_settings`, role, json);

const comment = (role: Role, { iid }: Json, body: string, json: Json = {}) =>
  ask("POST", `${path}/${iid}/notes`, role, { body, ...json });

const makeEpic = (role: Role, json: Json = {}) =>
  ask("POST", `/groups/${group.id}/epics`, role, { title: "Wheels", description: "for @mentioned", ...json });

beforeEach(() => {
  const { by } = store.of(notificationSettings);
  store.transact((tx) => {
    for (const userId of [...by.user_id.keys()])
      for (const id of [...by.user_id.find(userId)]) tx.remove(notificationSettings, id);
  });
});

/** An issue in which everybody has the part that the role says. */
async function makeIssue(attributes: Json = {}): Promise<Json> {
  const issue = await ask("POST", path, "author", {
    title: "Wheels squeak",
    description: "Ask @mentioned, @unsubscribed",
    assignee_ids: [people.assignee.id, people.unsubscribed.id],
    ...attributes,
  });
  await comment("commenter", issue, "I hear it");
  await ask("POST", `${path}/${issue.iid}/subscribe`, "subscriber");
  await ask("POST", `${path}/${issue.iid}/unsubscribe`, "unsubscribed");
  return issue;
}

const events = {
  close_issue: ({ iid }: Json) => ask("PUT", `${path}/${iid}`, "actor", { state_event: "close" }),
  reopen_issue: async ({ iid }: Json) => {
    await ask("PUT", `${path}/${iid}`, "actor", { state_event: "close" });
    await ask("PUT", `${path}/${iid}`, "actor", { state_event: "reopen" });
  },
  reassign_issue: ({ iid }: Json) => ask("PUT", `${path}/${iid}`, "actor", { assignee_ids: [people.actor.id] }),
  new_note: (issue: Json) => comment("actor", issue, "What do you say, @mentioned?"),
} as const;

const taking = ["author", "assignee", "commenter", "subscriber", "mentioned"] as const;
const everybody = [...taking, "bystander"] as const;
const levels = [
  ["disabled", {}],
  ["mention", {}],
  ["participating", {}],
  ["global", {}],
  ["watch", {}],
  ["custom", { on: false }],
  ["custom", { on: true }],
] as const;

describe.each(Object.keys(events) as (keyof typeof events)[])("%s", (event) => {
  test.each(levels)(
    "at level %s %j sends mails to the right users, never to its author or to unsubscribed ones",
    async (level, flag) => {
      for (const role of roles) await set(role, { level, ...("on" in flag ? { [event]: flag.on } : {}) });
      const issue = await makeIssue();
      const mailed = (await told(() => events[event](issue)))
        .filter(([name]) => name === event)
        .map(([, role]) => role);
      const isMentioned = event === "new_note";
      const expected = { disabled: [], mention: isMentioned ? ["mentioned"] : [], watch: everybody }[level as string];
      const byFlag = "on" in flag && flag.on ? everybody : taking;
      expect(mailed).toEqual([...(expected ?? byFlag)]);
    },
  );
});

describe("new_issue", () => {
  test.each(levels)(
    "at level %s %j sends mails to assignees, mentioned users, and those who asked for it",
    async (level, flag) => {
      for (const role of roles) await set(role, { level, ...("on" in flag ? { new_issue: flag.on } : {}) });
      const json = { title: "For @mentioned", assignee_ids: [people.assignee.id] };
      const mailed = (await told(() => ask("POST", path, "author", json))).map(([, role]) => role);
      const all = roles.filter((role) => role !== "author");
      const expected = { disabled: [], mention: ["mentioned"], watch: all }[level as string];
      expect(mailed).toEqual([...(expected ?? ("on" in flag && flag.on ? all : ["assignee", "mentioned"]))]);
    },
  );

  test("names the author, the title and the address", async () => {
    const description = `${"long ".repeat(300)}`;
    const json = { title: "Wheels\nsqueak", description, assignee_ids: [people.assignee.id, people.commenter.id] };
    let made: Json;
    const [mail] = await mailsOf(async () => {
      made = await ask("POST", path, "author", json);
    });
    expect(mail).toMatchObject({
      to: people.assignee.email,
      event: "new_issue",
      subject: `Van | Wheels squeak (#${made.iid})`,
      text: `author (@author) created an issue.\n\nAssigned to assignee, commenter.\n\n${description.slice(0, 1_000)} …\n\n${made.web_url}\n`,
    });
  });
});

test("mails describe the event and its place", async () => {
  await set("bystander", { level: "watch" });
  const { iid, web_url: url } = await ask("POST", path, "author", { title: "Doors" });
  const texts = async (act: () => unknown) => (await mailsOf(act)).filter(({ to }) => to === people.bystander.email);
  const change = (json: Json) => texts(() => ask("PUT", `${path}/${iid}`, "actor", json));
  const who = "actor (@actor)";
  expect((await change({ state_event: "close" }))[0]?.text).toBe(`${who} closed the issue.\n\n${url}\n`);
  expect((await change({ state_event: "reopen" }))[0]?.text).toBe(`${who} reopened the issue.\n\n${url}\n`);
  expect((await change({ assignee_ids: [people.assignee.id] }))[0]?.text).toBe(
    `${who} changed the assignees from nobody to assignee.\n\n${url}\n`,
  );
  const [mail] = await texts(() => comment("actor", { iid }, "Oil them"));
  expect(mail?.subject).toBe(`Van | Doors (#${iid})`);
  const [{ id }] = await ask("GET", `${path}/${iid}/notes`, "actor");
  expect(mail?.text).toBe(`${who} wrote:\n\nOil them\n\n${url}#note_${id}\n`);
  expect(await change({ title: "Windows", labels: "a" })).toEqual([]);
});

test("one change with two events sends a mail for each", async () => {
  const { iid } = await makeIssue();
  const json = { state_event: "close", assignee_ids: [] };
  const mailed = await told(() => ask("PUT", `${path}/${iid}`, "actor", json));
  const of = (event: string) => mailed.filter(([name]) => name === event).map(([, role]) => role);
  expect(of("close_issue")).toEqual([...taking]);
  expect(of("reassign_issue")).toEqual([...taking]);
});

test("the project's level overrides the group's, and that the global one", async () => {
  const issue = async () => told(() => ask("POST", path, "author", { title: "Doors" }));
  await set("bystander", { level: "watch" }, "");
  expect(await issue()).toEqual([["new_issue", "bystander"]]);
  await set("bystander", { level: "participating" }, `/groups/${group.id}`);
  expect(await issue()).toEqual([]);
  await set("bystander", { level: "custom", new_issue: true });
  expect(await issue()).toEqual([["new_issue", "bystander"]]);
  await set("bystander", { level: "global" });
  await set("bystander", { level: "global" }, `/groups/${group.id}`);
  expect(await issue()).toEqual([["new_issue", "bystander"]]);
});

test("mail goes to the address that the user chose", async () => {
  const json = { email: "second@people.example", skip_confirmation: true };
  await world.call("POST", `/users/${people.bystander.id}/emails`, { token: rootToken, json });
  await set("bystander", { level: "watch", notification_email: "second@people.example" }, "");
  const [mail] = await mailsOf(() => ask("POST", path, "author", { title: "Doors" }));
  expect(mail?.to).toBe("second@people.example");
});

describe("a user who cannot read", () => {
  const levelsIn = { guest: accessLevels.guest, planner: accessLevels.planner } as const;
  test("a confidential issue gets no mail, author and assignees do", async () => {
    const named: Record<string, Person> = {};
    for (const [name, level] of Object.entries(levelsIn)) {
      named[name] = await world.user({ username: `${name}1`, name });
      places.member(project, named[name].id, level);
      const at = `/projects/${project.id}/notification_settings`;
      await world.call("PUT", at, { token: named[name].token, json: { level: "watch" } });
    }
    const { guest, planner } = named as { guest: Person; planner: Person };
    const send = (json: Json) => mailsOf(() => ask("POST", path, "author", { title: "Hush @guest1", ...json }));
    const to = async (json: Json) => (await send(json)).map((mail) => mail.to);
    expect(await to({})).toEqual([guest.email, planner.email]);
    expect(await to({ confidential: true })).toEqual([planner.email]);
    expect(await to({ confidential: true, assignee_ids: [guest.id] })).toEqual([guest.email, planner.email]);
    const mine = await world.call("POST", path, { token: guest.token, json: { title: "Mine", confidential: true } });
    const close = () => ask("PUT", `${path}/${mine.body.iid}`, "actor", { state_event: "close" });
    expect((await mailsOf(close)).map((mail) => mail.to)).toEqual([guest.email, planner.email]);
    const assign = () => ask("PUT", `${path}/${mine.body.iid}`, "actor", { assignee_ids: [guest.id] });
    expect((await mailsOf(assign)).map((mail) => mail.to)).toContain(guest.email);
    const note = () => comment("actor", mine.body, "Between us, @guest1", { internal: true });
    expect((await mailsOf(note)).map((mail) => mail.to)).toEqual([planner.email]);
  });

  test("the project gets no mail, although mentioned", async () => {
    const stranger = await world.user({ username: "stranger" });
    await world.call("PUT", "/notification_settings", { token: stranger.token, json: { level: "watch" } });
    expect(await told(() => ask("POST", path, "author", { title: "Hello @stranger" }))).toEqual([]);
  });

  test("anything, as a blocked account, gets no mail", async () => {
    world.alter(people.mentioned.id, { state: "blocked" });
    expect(await told(() => ask("POST", path, "author", { title: "Hello @mentioned" }))).toEqual([]);
    world.alter(people.mentioned.id, { state: "active" });
  });
});

test("system notes send no mail", async () => {
  const { id } = await makeIssue();
  const author_id = people.actor.id;
  const caller = { user: store.of(users).get(author_id) as UserRecord, token: undefined, ipAddress: null };
  const note = { id: 0, noteable_type: "Issue", noteable_id: id, author_id, body: "closed", internal: false } as const;
  const times = { created_at: clock.time(), updated_at: clock.time() };
  const tell = (system: boolean) => () =>
    store.transact((tx) => mailNote(tx, context, { caller, before: undefined, after: { ...note, ...times, system } }));
  expect(await told(tell(true))).toEqual([]);
  expect((await told(tell(false))).length).toBe(taking.length);
});

test("with sudo, the impersonated user is the author", async () => {
  const json = { title: "For @mentioned" };
  const act = () => world.call("POST", path, { token: rootToken, query: { sudo: "mentioned" }, json });
  expect(await told(act)).toEqual([]);
});

describe("new_epic", () => {
  test.each(levels)("at level %s %j sends mails to mentioned users and those who asked for it", async (level, flag) => {
    for (const role of roles)
      await set(role, { level, ...("on" in flag ? { new_epic: flag.on } : {}) }, `/groups/${group.id}`);
    const mailed = (await told(() => makeEpic("author"))).map(([, role]) => role);
    const all = roles.filter((role) => role !== "author");
    const expected = { disabled: [], watch: all }[level as string];
    expect(mailed).toEqual([...(expected ?? ("on" in flag && flag.on ? all : ["mentioned"]))]);
  });

  test("names its author, and is not sent to users who may not read it", async () => {
    const guest = await world.user({ username: "epicguest" });
    places.member(group, guest.id, accessLevels.guest);
    const named = { description: "for @epicguest" };
    const [mail] = await mailsOf(() => makeEpic("author", named));
    expect(mail?.to).toBe(guest.email);
    expect(mail?.subject).toMatch(/^cars \| Wheels \(&\d+\)$/);
    expect(mail?.text).toMatch(
      /^author \(@author\) created an epic\.\n\nfor @epicguest\n\nhttp:\S+\/groups\/cars\/-\/epics\/\d+\n$/,
    );
    expect(await mailsOf(() => makeEpic("author", { ...named, confidential: true }))).toEqual([]);
  });
});
