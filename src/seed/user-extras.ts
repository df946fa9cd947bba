import { accessLevels } from "../domain/access-level.ts";
import { dayMs, toCalendarDate } from "../lib/datetime.ts";
import { generateToken, insertAccessToken } from "../modules/accounts/access-tokens/index.ts";
import { userStatuses } from "../modules/accounts/user-status/records.ts";
import { features } from "../modules/admin/feature-flags/records.ts";
import { insertTrigger } from "../modules/ci/triggers/index.ts";
import { upsertCustomAttribute } from "../modules/core/custom-attributes/index.ts";
import { follows } from "../modules/core/follows/records.ts";
import { projectStars } from "../modules/groups-and-projects/projects/records-stars.ts";
import { notificationSettings } from "../modules/notifications/settings/records.ts";
import { type Organisation, type Person, randomMember, type SeededGroup, type SeededProject } from "./organisation.ts";
import type { SeededRandom } from "./seeded-random.ts";
import { triggerDescriptions } from "./vocabulary/operations.ts";
import { statusMessages } from "./vocabulary/people.ts";

/** Creates the users' other records: stars, follows, statuses, settings, tokens. */
export function* seedUserExtras(organisation: Organisation): Generator<undefined> {
  const random = organisation.random("satellites");
  for (const person of organisation.people.filter(isStill)) {
    if (random.chance(0.6)) star(organisation, random, person);
    if (random.chance(0.4)) follow(organisation, random, person);
    if (random.chance(0.25)) setStatus(organisation, random, person);
    if (random.chance(0.3)) setNotifications(organisation, random, person);
    if (random.chance(0.4)) addToken(organisation, random, person);
    yield undefined;
  }
  seedTriggers(organisation, random);
  seedFlags(organisation);
  seedCustomAttributes(organisation);
  yield undefined;
}

function isStill({ until }: Person): boolean {
  return until === Number.POSITIVE_INFINITY;
}

/** Returns a time after a person joined, early ones more often. */
function momentOf({ until }: Organisation, random: SeededRandom, { since }: { readonly since: number }): number {
  return since + random.fraction() ** 1.5 * (until - since);
}

/** Returns the groups or projects that the person sees without a role in them. */
function shownTo<T extends SeededGroup | SeededProject>({ user }: Person, places: readonly T[]): T[] {
  return places.filter(
    ({ record: { visibility } }) => visibility === "public" || (visibility === "internal" && !user.external),
  );
}

function star(organisation: Organisation, random: SeededRandom, person: Person): void {
  const { writing, projects } = organisation;
  for (const project of random.some(shownTo(person, projects).slice(0, 40), random.integer(1, 3))) {
    const since = Math.max(person.since, project.since);
    const created_at = organisation.at(momentOf(organisation, random, { since }));
    const id = writing.nextId("project_stars");
    writing.insert(projectStars, { id, user_id: person.user.id, project_id: project.record.id, created_at });
    project.stars += 1;
  }
}

function follow(organisation: Organisation, random: SeededRandom, person: Person): void {
  const { writing, people } = organisation;
  for (const other of random.some(people.slice(0, 60).filter(isStill), random.integer(1, 3))) {
    if (other === person) continue;
    const since = Math.max(person.since, other.since);
    const created_at = organisation.at(momentOf(organisation, random, { since }));
    const pair = { follower_id: person.user.id, followee_id: other.user.id };
    writing.insert(follows, { id: writing.nextId("follows"), ...pair, created_at });
  }
}

function setStatus(organisation: Organisation, random: SeededRandom, { user }: Person): void {
  const [emoji, message] = random.pick(statusMessages);
  const availability = random.chance(0.3) ? "busy" : "not_set";
  organisation.writing.insert(userStatuses, { id: user.id, emoji, message, availability, clear_status_at: null });
}

function setNotifications(organisation: Organisation, random: SeededRandom, person: Person): void {
  const { writing, groups, projects } = organisation;
  const [group, project] = [random.pick(shownTo(person, groups)), random.pick(shownTo(person, projects))];
  const places = [
    { source_type: "global", source_id: 0, since: person.since },
    { source_type: "group", source_id: group.record.id, since: group.since },
    { source_type: "project", source_id: project.record.id, since: project.since },
  ] as const;
  for (const { since, ...place } of random.some(places, random.integer(1, 2))) {
    const level = random.pick(["watch", "mention", "disabled", "custom", "participating"] as const);
    const now = organisation.at(momentOf(organisation, random, { since: Math.max(since, person.since) }));
    writing.insert(notificationSettings, {
      id: writing.nextId("notification_settings"),
      user_id: person.user.id,
      ...place,
      level,
      events: level === "custom" ? { new_issue: true, close_issue: true, failed_pipeline: false } : {},
      notification_email: null,
      created_at: now,
      updated_at: now,
    });
  }
}

/** Adds a token whose text is not recorded. Some are expired. */
function addToken(organisation: Organisation, random: SeededRandom, person: Person): void {
  const { context, writing } = organisation;
  const since = momentOf(organisation, random, person);
  organisation.at(since);
  const scopes = random.pick([["api"], ["read_api"], ["read_user"], ["read_api", "read_repository"]] as const);
  insertAccessToken(writing, context, person.caller, person.user, generateToken(context), {
    name: random.pick(["laptop", "nightly", "editor", "phone", "release script"]),
    scopes,
    expires_at: toCalendarDate(since + random.integer(30, 365) * dayMs),
  });
}

function seedTriggers(organisation: Organisation, random: SeededRandom): void {
  const { context, writing, until } = organisation;
  const built = organisation.projects.filter(({ history, isArchived }) => history?.ciFile && !isArchived);
  for (const [at, project] of random.some(built, 4).entries()) {
    const time = project.since + 0.6 * (until - project.since);
    organisation.at(time);
    const owner = randomMember(random, project, time, accessLevels.maintainer);
    const expires_at = at === 3 ? `${organisation.day(60)}T00:00:00.000Z` : null;
    const description = triggerDescriptions[at % triggerDescriptions.length] as string;
    insertTrigger(writing, context, owner.caller, project.record, { description, expires_at });
  }
}

/** Sets the custom attributes of the company, for administrators. */
function seedCustomAttributes(organisation: Organisation): void {
  const { context, writing, people, groups, projects, until } = organisation;
  organisation.at(until - 30 * dayMs);
  const set = (resource: "User" | "Group" | "Project", id: number, key: string, value: string) =>
    upsertCustomAttribute(writing, context, { resource, id }, key, value);
  for (const { user } of people.slice(0, 12)) set("User", user.id, "employee_number", `S-${1000 + 7 * user.id}`);
  for (const { record } of groups.filter(({ parent }) => parent === undefined).slice(0, 6)) {
    set("Group", record.id, "customer_number", `C-${400 + record.id}`);
  }
  for (const { record, topic, weight } of projects.slice(0, 25)) {
    if (weight >= 4) set("Project", record.id, "cost_centre", topic === "firmware" ? "4100" : "4200");
  }
}

/** Sets the organisation's own feature flags, none of which the server uses. */
function seedFlags(organisation: Organisation): void {
  const { writing } = organisation;
  const userActor = (username: string) => `User:${organisation.person(username).user.id}`;
  const closed = { boolean: false, actors: [], groups: [], percentage_of_actors: 0, percentage_of_time: 0 };
  const flags = {
    new_wind_chart: { ...closed, actors: [userActor("mara.quist"), userActor("yuki.tanabe")] },
    gust_alarms: { ...closed, percentage_of_actors: 25 },
    night_colours: { ...closed, boolean: true },
    faster_export: { ...closed, percentage_of_time: 12.5 },
    offline_checklists: { ...closed, actors: [`Group:${organisation.group("fieldwork").record.id}`] },
    ice_detection: { ...closed, actors: [`Project:${organisation.project("skylark/firmware/anemometer").record.id}`] },
    old_login_page: closed,
  };
  for (const [at, [name, gates]] of Object.entries(flags).entries()) {
    const now = organisation.at(organisation.from + (100 + 70 * at) * dayMs);
    writing.insert(features, { id: writing.nextId("features"), name, ...gates, created_at: now, updated_at: now });
  }
}
