import { expect, test } from "bun:test";
import fc from "fast-check";
import { accessLevels } from "../../../../src/domain/access-level.ts";
import { visibilities } from "../../../../src/domain/visibility.ts";
import { Access } from "../../../../src/modules/core/access/index.ts";
import { users } from "../../../../src/modules/core/users/records.ts";
import type { GroupRecord } from "../../../../src/modules/groups-and-projects/groups/records.ts";
import type { ProjectRecord } from "../../../../src/modules/groups-and-projects/projects/records.ts";
import {
  type NotificationEvent,
  type Occurrence,
  recipientsOf,
} from "../../../../src/modules/notifications/settings/index.ts";
import { notificationSettings } from "../../../../src/modules/notifications/settings/records.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld();
const places = placesOf(world);
const people: number[] = [];
for (let count = 0; count < 8; count += 1) people.push((await world.user()).id);
world.alter(people[5] as number, { state: "blocked" });
world.alter(people[6] as number, { is_admin: true });
world.alter(people[7] as number, { external: true });

const levels = ["disabled", "participating", "watch", "global", "mention", "custom"] as const;
const events = ["new_issue", "moved_project", "failed_pipeline", "fixed_pipeline", "success_pipeline"] as const;
const placeNames = ["project", "sub", "top", "global"] as const;

const person = fc.constantFrom(...people);
const someone = fc.option(person, { nil: undefined });
const some = fc.uniqueArray(person, { maxLength: 4 });
const setting = fc.record({
  user: person,
  place: fc.constantFrom(...placeNames),
  level: fc.constantFrom(...levels),
  flags: fc.dictionary(fc.constantFrom(...events), fc.boolean(), { maxKeys: 3 }),
});
type Setting = typeof setting extends fc.Arbitrary<infer T> ? T : never;
const isSame = (one: Setting, other: Setting) => one.user === other.user && one.place === other.place;
const story = fc.record({
  settings: fc.uniqueArray(setting, { maxLength: 24, comparator: isSame }),
  visibility: fc.constantFrom(...visibilities),
  members: fc.array(fc.tuple(fc.constantFrom("project", "sub", "top"), person), { minLength: 2, maxLength: 12 }),
  quiet: fc.oneof(
    { weight: 9, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom("project", "sub", "top") },
  ),
  event: fc.constantFrom(...events),
  actor: someone,
  participants: some,
  mentioned: some,
  own: someone,
  unreadable: fc.uniqueArray(person, { maxLength: 2 }),
  isOfGroup: fc.boolean(),
});
type Story = typeof story extends fc.Arbitrary<infer T> ? T : never;

interface Scene {
  readonly top: GroupRecord;
  readonly sub: GroupRecord;
  readonly project: ProjectRecord;
}

function tell({ settings, visibility, members, quiet }: Story): Scene {
  const mute = (name: string) => (quiet === name ? { settings: { emails_enabled: false } } : {});
  const top = places.group({ visibility, ...mute("top") });
  const sub = places.group({ visibility, parent_id: top.id, ...mute("sub") });
  const project = places.project(sub.id, { visibility, ...mute("project") });
  const scene = { top, sub, project };
  const held = new Set<string>();
  for (const [place, user] of members) {
    if (held.has(`${place} ${user}`)) continue;
    held.add(`${place} ${user}`);
    places.member(scene[place as keyof Scene], user, accessLevels.guest);
  }
  const { store, clock } = world;
  store.transact((tx) => {
    for (const user of people) {
      for (const id of [...store.of(notificationSettings).by.user_id.find(user)]) tx.remove(notificationSettings, id);
    }
    for (const { user, place, level, flags } of settings) {
      tx.insert(notificationSettings, {
        id: tx.nextId("notification_settings"),
        user_id: user,
        source_type: place === "global" ? "global" : place === "project" ? "project" : "group",
        source_id: place === "global" ? 0 : scene[place].id,
        level,
        events: flags,
        notification_email: null,
        created_at: clock.time(),
        updated_at: clock.time(),
      });
    }
  });
  return scene;
}

/** Section 5 word by word, for one user after the other. */
function shouldBeTold(userId: number, scene: Scene, story: Story): boolean {
  const user = world.store.of(users).get(userId);
  if (user === undefined) throw new Error(`no user ${userId}`);
  // "Never: the one who caused it, somebody who may not read the thing, a blocked account."
  if (userId === story.actor || user.state === "blocked" || story.unreadable.includes(userId)) return false;
  const access = world.context.get(Access);
  const sees = story.isOfGroup ? access.canSeeGroup(user, scene.sub) : access.canSeeProject(user, scene.project);
  if (!sees) return false;
  if (story.quiet !== undefined && !(story.isOfGroup && story.quiet === "project")) return false;
  // "The level in force is the project's, else the nearest group's, else the global one."
  const order = story.isOfGroup ? placeNames.slice(1) : placeNames;
  const found = order
    .map((place) => story.settings.find((each) => each.user === userId && each.place === place))
    .find((each) => each !== undefined && each.level !== "global");
  const { event } = story;
  const isOfPipeline = event.endsWith("_pipeline");
  const isOwn = story.own === userId && event !== "success_pipeline";
  const isMentioned = !isOfPipeline && story.mentioned.includes(userId);
  const takesPart = isOfPipeline ? isOwn : isMentioned || story.participants.includes(userId);
  const first: NotificationEvent[] = ["failed_pipeline", "fixed_pipeline", "moved_project"];
  switch (found?.level) {
    case "disabled":
      return false;
    case "mention":
      return isMentioned;
    case "watch":
      return !isOfPipeline || isOwn;
    case "custom":
      return takesPart || (found?.flags[event] ?? first.includes(event));
    default:
      return takesPart;
  }
}

test("the recipients are those of the page, each once, and no others", () => {
  let toldCount = 0;
  fc.assert(
    fc.property(story, (told) => {
      const scene = tell(told);
      const { event, actor, participants, mentioned, own, unreadable, isOfGroup } = told;
      const occurrence: Occurrence = {
        ...(isOfGroup ? { group: scene.sub } : { project: scene.project }),
        event,
        actor,
        participants,
        mentioned,
        ...(own === undefined ? {} : { own }),
        mayRead: ({ id }) => !unreadable.includes(id),
      };
      const found = recipientsOf(world.context, occurrence).map(({ user }) => user.id);
      const expected = people.filter((id) => shouldBeTold(id, scene, told));
      toldCount += expected.length;
      expect(found).toEqual(expected);
    }),
    { numRuns: 600 },
  );
  expect(toldCount).toBeGreaterThan(300);
});
