import { beforeEach, describe, expect, test } from "bun:test";
import { accessLevels } from "../../../../src/domain/access-level.ts";
import { WorkBudget, withBudget } from "../../../../src/domain/work-budget.ts";
import { users } from "../../../../src/modules/core/users/records.ts";
import {
  type NotificationEvent,
  notify,
  type Occurrence,
  recipientsOf,
} from "../../../../src/modules/notifications/settings/index.ts";
import { notificationSettings } from "../../../../src/modules/notifications/settings/records.ts";
import { insertCrowd } from "../../../support/fixtures/crowd.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { type Json, type Person, rootToken, startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld();
const places = placesOf(world);
const top = places.group({ path: "top" });
const sub = places.group({ path: "sub", parent_id: top.id });
const project = places.project(sub.id);
const [ann, bob, eve] = [await world.user(), await world.user(), await world.user()];
const stranger = await world.user();
for (const { id } of [ann, bob, eve]) places.member(top, id, accessLevels.reporter);

const everywhere = "/notification_settings";
const ofTop = `/groups/${top.id}/notification_settings`;
const ofSub = `/groups/${sub.id}/notification_settings`;
const ofProject = `/projects/${project.id}/notification_settings`;

async function set({ token }: Person, path: string, json: Json) {
  expect((await world.call("PUT", path, { token, json })).status).toBe(200);
}

beforeEach(() => {
  world.store.transact((tx) => {
    for (const { id: userId } of [ann, bob, eve, stranger]) {
      for (const id of [...world.store.of(notificationSettings).by.user_id.find(userId)])
        tx.remove(notificationSettings, id);
    }
  });
});

const nothing = { actor: undefined, participants: [], mentioned: [], mayRead: () => true };

/** Names of those who are told. */
function told(event: NotificationEvent, more: Partial<Occurrence> = {}): string[] {
  const occurrence = { ...nothing, event, project, ...more } as Occurrence;
  return recipientsOf(world.context, occurrence).map(({ user }) => user.username);
}

describe("at the level", () => {
  const involved = { participants: [ann.id], mentioned: [bob.id] };

  test("that is not set, participants and mentioned users get mail", () => {
    expect(told("new_note", involved)).toEqual([ann.username, bob.username]);
    expect(told("new_note")).toEqual([]);
  });

  test.each(["participating", "global"])("%s, participants and mentioned users get mail", async (level) => {
    for (const person of [ann, bob, eve]) await set(person, everywhere, { level });
    expect(told("new_note", involved)).toEqual([ann.username, bob.username]);
  });

  test("disabled, users get no mail", async () => {
    for (const person of [ann, bob]) await set(person, everywhere, { level: "disabled" });
    expect(told("new_note", involved)).toEqual([]);
  });

  test("mention, mentioned users get mail", async () => {
    for (const person of [ann, bob]) await set(person, everywhere, { level: "mention" });
    expect(told("new_note", involved)).toEqual([bob.username]);
  });

  test("watch, users get mail about every event", async () => {
    await set(eve, everywhere, { level: "watch" });
    expect(told("new_note", involved)).toEqual([ann.username, bob.username, eve.username]);
    expect(told("moved_project")).toEqual([eve.username]);
  });

  test("custom, participants get mail, and users who flagged the event", async () => {
    for (const person of [ann, eve]) await set(person, ofProject, { level: "custom", new_issue: true });
    expect(told("new_note", involved)).toEqual([ann.username, bob.username]);
    expect(told("new_issue")).toEqual([ann.username, eve.username]);
    await set(eve, ofProject, { new_issue: false });
    expect(told("new_issue")).toEqual([ann.username]);
  });

  test("custom, flags have their initial values", async () => {
    await set(eve, ofProject, { level: "custom" });
    expect(told("moved_project")).toEqual([eve.username]);
    expect(told("failed_pipeline")).toEqual([eve.username]);
    expect(told("close_issue")).toEqual([]);
    await set(eve, ofProject, { moved_project: false });
    expect(told("moved_project")).toEqual([]);
  });

  test("other than custom, flags are ignored", async () => {
    await set(eve, ofProject, { level: "participating", new_issue: true });
    expect(told("new_issue")).toEqual([]);
  });
});

describe("pipelines", () => {
  const own = { own: ann.id };

  test("that fail or are fixed are mailed to their owners and to users who flagged that, not to other watchers", async () => {
    await set(bob, ofProject, { level: "watch" });
    await set(eve, ofProject, { level: "custom" });
    for (const event of ["failed_pipeline", "fixed_pipeline"] as const) {
      expect(told(event, own)).toEqual([ann.username, eve.username]);
      expect(told(event, { own: bob.id })).toEqual([bob.username, eve.username]);
    }
  });

  test("that succeed are mailed to users who flagged that only", async () => {
    await set(bob, ofProject, { level: "watch" });
    await set(eve, ofProject, { level: "custom" });
    expect(told("success_pipeline", own)).toEqual([]);
    expect(told("success_pipeline", { own: bob.id })).toEqual([]);
    await set(eve, ofProject, { success_pipeline: true });
    expect(told("success_pipeline", own)).toEqual([eve.username]);
  });

  test("send no mail to owners who turned it off", async () => {
    await set(ann, ofProject, { level: "disabled" });
    expect(told("failed_pipeline", own)).toEqual([]);
    await set(ann, ofProject, { level: "mention" });
    expect(told("failed_pipeline", own)).toEqual([]);
  });
});

describe("the effective level", () => {
  const ladder = [ofProject, ofSub, ofTop, everywhere];

  test.each([0, 1, 2])("of source %i overrides those further up", async (at) => {
    for (const path of ladder.slice(at + 1)) await set(eve, path, { level: "disabled" });
    await set(eve, ladder[at] as string, { level: "watch" });
    expect(told("new_issue")).toEqual([eve.username]);
    for (const path of ladder.slice(at + 1)) await set(eve, path, { level: "watch" });
    await set(eve, ladder[at] as string, { level: "disabled" });
    expect(told("new_issue")).toEqual([]);
  });

  test("is that of the next source above if it is global", async () => {
    await set(eve, everywhere, { level: "watch" });
    for (const path of [ofProject, ofSub, ofTop]) await set(eve, path, { level: "global" });
    expect(told("new_issue")).toEqual([eve.username]);
    await set(eve, ofTop, { level: "mention" });
    expect(told("new_issue")).toEqual([]);
  });

  test("of a project does not apply to its group", async () => {
    await set(eve, ofProject, { level: "watch" });
    await set(eve, ofSub, { level: "disabled" });
    expect(told("new_issue")).toEqual([eve.username]);
    const { project: _, ...rest } = { ...nothing, event: "new_epic" as const, project };
    expect(recipientsOf(world.context, { ...rest, group: sub })).toEqual([]);
    await set(eve, ofSub, { level: "global" });
    await set(eve, ofTop, { level: "custom", new_epic: true });
    expect(recipientsOf(world.context, { ...rest, group: sub }).map(({ user }) => user.id)).toEqual([eve.id]);
  });
});

describe("no mail goes to", () => {
  test("the user who caused it", () => {
    const involved = { participants: [ann.id, bob.id], mentioned: [ann.id] };
    expect(told("new_note", { ...involved, actor: ann.id })).toEqual([bob.username]);
  });

  test("a user who cannot see the project, or may not read the thing", async () => {
    for (const person of [eve, stranger]) await set(person, everywhere, { level: "watch" });
    expect(told("new_note", { mentioned: [stranger.id, bob.id] })).toEqual([bob.username, eve.username]);
    expect(told("new_note", { mentioned: [bob.id], mayRead: ({ id }) => id !== eve.id })).toEqual([bob.username]);
  });

  test("an account that is blocked or otherwise closed", async () => {
    for (const state of ["blocked", "ldap_blocked", "banned", "blocked_pending_approval", "deactivated"] as const) {
      world.alter(ann.id, { state });
      expect(told("new_note", { participants: [ann.id, bob.id] })).toEqual([bob.username]);
    }
    world.alter(ann.id, { state: "active" });
  });

  test("a deleted user", () => {
    expect(told("new_note", { participants: [9_999, bob.id], own: 9_998 })).toEqual([bob.username]);
  });

  test("any user where mails are off, for the project or a group above it", async () => {
    const involved = { participants: [ann.id] };
    const quiet = { ...project, settings: { emails_enabled: false } };
    expect(told("new_note", { ...involved, project: quiet })).toEqual([]);
    places.alterGroup(top, { settings: { emails_enabled: false } });
    expect(told("new_note", involved)).toEqual([]);
    places.alterGroup(top, { settings: {} });
    expect(told("new_note", involved)).toEqual([ann.username]);
  });
});

test("in a public project, users who are no members get mail too", async () => {
  const open = places.project(places.group({ visibility: "public" }).id, { visibility: "public" });
  await set(stranger, `/projects/${open.id}/notification_settings`, { level: "watch" });
  expect(told("new_issue", { project: open })).toEqual([stranger.username]);
});

test("each recipient gets one mail, written with the act, and not without it", async () => {
  await set(eve, ofProject, { level: "watch" });
  const occurrence: Occurrence = {
    ...nothing,
    event: "new_issue",
    project,
    actor: bob.id,
    participants: [eve.id, ann.id, eve.id],
    mentioned: [eve.id, bob.id],
  };
  const message = { subject: "API | Boats leak (#1)", text: "Boats leak.\n" };
  const topic = { type: "Project", id: project.id } as const;
  const failing = () =>
    world.store.transact((tx) => {
      notify(tx, world.context, { ...occurrence, ...message, topic });
      throw new Error("changed my mind");
    });
  expect(failing).toThrow("changed my mind");
  world.store.transact((tx) => notify(tx, world.context, { ...occurrence, ...message, topic }));
  const { body } = await world.call("GET", "/-/outbox", { token: rootToken });
  const sent = { ...message, event: "new_issue", created_at: world.clock.time(), sent_at: null };
  expect(body).toEqual([
    { ...sent, id: 2, to: eve.email },
    { ...sent, id: 1, to: ann.email },
  ]);
});

test("of any number of users who watch everything, only members and administrators get mail about a private project", async () => {
  const first = world.store.of(users).size + 1;
  insertCrowd(world, 40);
  const crowd = Array.from({ length: 40 }, (_, at) => first + at);
  const row = { source_type: "global", source_id: 0, level: "watch", events: {}, notification_email: null } as const;
  const stamp = { created_at: world.clock.time(), updated_at: world.clock.time() };
  world.store.transact((tx) => {
    for (const user_id of [...crowd, 1]) {
      tx.insert(notificationSettings, { ...row, ...stamp, id: tx.nextId("notification_settings"), user_id });
    }
  });
  const [direct, invited] = crowd.slice(10) as [number, number];
  places.member(project, direct, accessLevels.guest);
  const guests = places.group();
  places.member(guests, invited, accessLevels.guest);
  places.share(sub, guests, accessLevels.guest);
  const ids = recipientsOf(world.context, { ...nothing, event: "new_issue", project }).map(({ user }) => user.id);
  expect(ids).toEqual([1, direct, invited]);
});

test.each([0, 100])(
  "with %d shares, the groups below the groups of mentioned users are not looked at",
  async (shares) => {
    const wide = places.group();
    for (let at = 0; at < 500; at += 1) places.group({ parent_id: wide.id });
    const people: Person[] = [];
    for (let at = 0; at < 10; at += 1) people.push(await world.user());
    for (const { id } of people) places.member(wide, id, accessLevels.reporter);
    const place = places.project(wide.id);
    for (let at = 0; at < shares; at += 1) places.share(place, places.group(), accessLevels.reporter);
    const budget = new WorkBudget();
    const mentioned = people.map(({ id }) => id);
    const names = withBudget(budget, () => told("new_issue", { project: place, mentioned }));
    expect(names).toEqual(expect.arrayContaining(people.map(({ username }) => username)));
    // The levels that one user has below the wide group take 10,000 steps at least.
    expect(budget.steps).toBeLessThan(mentioned.length * 10_000);
  },
);
