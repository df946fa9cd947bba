import { type AccessLevel, accessLevels } from "../../domain/access-level.ts";
import { holderKey } from "../../domain/source.ts";
import { dayMs } from "../../lib/datetime.ts";
import { Access, refOf, type Source } from "../../modules/core/access/index.ts";
import { insertLink } from "../../modules/groups-and-projects/shares/index.ts";
import { groupLinks } from "../../modules/groups-and-projects/shares/records.ts";
import { accessRequests } from "../../modules/members/access-requests/records.ts";
import { insertMembership, removeMembership, updateMembership } from "../../modules/members/members/index.ts";
import { memberships } from "../../modules/members/members/records.ts";
import { chainOf, type Organisation, type Person, type SeededGroup, type SeededProject } from "../organisation.ts";
import type { SeededRandom } from "../seeded-random.ts";

type Place = SeededGroup | SeededProject;

interface RoleOptions {
  /** The days from the end of the history until the role expires. */
  readonly endsIn?: number;
  /** The level before the current one. */
  readonly before?: AccessLevel;
}

/** Creates every kind of membership with the named people, then the memberships of the others. */
export function* seedRoles(organisation: Organisation): Generator<undefined> {
  seedCastRoles(organisation);
  yield undefined;
  const random = organisation.random("roles");
  const groups = byCompany(organisation.groups.filter(({ parent }) => parent !== undefined));
  const projects = organisation.projects.filter(({ group, record }) => group && record.visibility !== "private");
  for (const person of organisation.people) {
    const own = groups.get(person.company);
    if (own !== undefined) {
      const count = random.integer(1, 2);
      for (const group of random.some(own, count)) giveRole(organisation, random, person, group, drawLevel(random), {});
    }
    if (random.chance(0.35)) {
      giveRole(
        organisation,
        random,
        person,
        random.pick(projects),
        drawLevel(random),
        random.chance(0.3) ? { endsIn: 20 } : {},
      );
    }
    yield undefined;
  }
  for (const project of organisation.projects) {
    if (random.chance(0.12)) {
      const invited = random.pick(organisation.groups);
      if (invited.company !== project.company) share(organisation, project, invited, random.pick(levelsOfShares), {});
    }
    yield undefined;
  }
  askForAccess(
    organisation,
    random,
    organisation.person("otto.vanewick"),
    organisation.project("skylark/firmware/anemometer"),
  );
  askForAccess(organisation, random, organisation.person("wim.cobbleton"), organisation.group("skylark/data"));
  for (const person of organisation.people) {
    if (random.chance(0.08)) askForAccess(organisation, random, person, random.pick(projects));
    yield undefined;
  }
}

const levelsOfShares = [accessLevels.guest, accessLevels.reporter, accessLevels.developer] as const;

function drawLevel(random: SeededRandom): AccessLevel {
  const name = random.weighted({ guest: 1, planner: 1, reporter: 3, developer: 8, maintainer: 2 });
  return accessLevels[name];
}

function byCompany(groups: readonly SeededGroup[]): Map<string, SeededGroup[]> {
  const all = new Map<string, SeededGroup[]>();
  for (const group of groups) {
    const list = all.get(group.company);
    if (list === undefined) all.set(group.company, [group]);
    else list.push(group);
  }
  return all;
}

function seedCastRoles(organisation: Organisation): void {
  const random = organisation.random("cast roles");
  const give = (who: string, place: Place, level: AccessLevel, options: RoleOptions = {}) =>
    giveRole(organisation, random, organisation.person(who), place, level, options);
  const { guest, planner, reporter, developer, maintainer } = accessLevels;
  const group = (path: string) => organisation.group(path);
  const project = (path: string) => organisation.project(path);
  give("noor.brightwater", group("skylark"), reporter);
  give("odile", group("skylark"), planner);
  give("hana.duskfield", group("skylark"), accessLevels.minimal);
  give("sefa.lakemore", group("skylark/firmware"), developer, { before: reporter });
  give("kofi-a", group("skylark/cloud"), maintainer, { before: developer });
  give("bram.tidewell", group("skylark/cloud/platform"), accessLevels.owner);
  give("ines_moreau", project("skylark/cloud/forecast-api"), developer);
  give("odile", project("skylark/handbook"), maintainer);
  give("alba.reedling", group("skylark/data"), developer, { endsIn: 12 });
  give("wim.cobbleton", project("skylark/website"), developer, { endsIn: 0 });
  give("yuki.tanabe", group("pinion"), maintainer);
  give("priya", group("fieldwork"), developer);
  give("otto.vanewick", project("skylark/data/wind-atlas"), guest);
  give("lena-osk", project("weathervane/plugins"), maintainer);
  share(organisation, group("skylark/apps"), group("pinion"), developer, {});
  share(organisation, project("skylark/apps/field-app"), group("fieldwork"), reporter, {});
  share(organisation, group("skylark/cloud"), group("ledgerly"), reporter, { endsIn: 20 });
  share(organisation, project("skylark/handbook"), group("fieldwork"), guest, { endsIn: 0 });
  const past = giveRole(
    organisation,
    random,
    organisation.person("tomas"),
    project("skylark/cloud/ingest"),
    reporter,
    {},
  );
  if (past !== undefined) endRole(organisation, past);
}

/** Makes a person a member, unless they already have this level there or above. */
function giveRole(
  organisation: Organisation,
  random: SeededRandom,
  person: Person,
  place: Place,
  level: AccessLevel,
  { endsIn, before }: RoleOptions,
) {
  const { context, writing, until } = organisation;
  const others = ["isArchived" in place ? chainOf(place.group) : chainOf(place), [place]].flat();
  const known = others.flatMap(({ roles }) => roles.filter((role) => role.person === person));
  if (known.some((role) => role.level >= level) || place.roles.some((role) => role.person === person)) return undefined;
  const begun = Math.max(place.since, person.since) + (1 + random.fraction() * 20) * dayMs;
  // A person who joined later has the role from that day.
  const since = Math.max(place.since, person.since, Math.min(begun, until - 15 * dayMs));
  if (since >= person.until) return undefined;
  organisation.at(since);
  const source: Source = "isArchived" in place ? { project: place.record } : { group: place.record };
  const expires_at = endsIn === undefined ? null : organisation.day(endsIn);
  const { caller } = place.founder;
  const draft = { access_level: before ?? level, expires_at };
  const first = insertMembership(writing, context, caller, source, person.user, draft);
  let row = first;
  if (before !== undefined) {
    organisation.at(since + 60 * dayMs);
    row = updateMembership(writing, context, caller, source, person.user, first, { access_level: level });
  }
  // A person whose role expires today, or gives no rights, does no work there.
  if (endsIn !== 0 && level > accessLevels.minimal) place.roles.push({ person, level, since });
  return { place, person, row, since };
}

function endRole(
  organisation: Organisation,
  { place, person, row, since }: NonNullable<ReturnType<typeof giveRole>>,
): void {
  const { context, writing, until } = organisation;
  organisation.at(since + 0.5 * (until - since));
  removeMembership(writing, context, place.founder.caller, row);
  const at = place.roles.findIndex((role) => role.person === person);
  if (at !== -1) place.roles.splice(at, 1);
}

function share(
  organisation: Organisation,
  place: Place,
  invited: SeededGroup,
  level: AccessLevel,
  { endsIn }: Pick<RoleOptions, "endsIn">,
): void {
  const { context, writing, until } = organisation;
  const type = "isArchived" in place ? "project" : "group";
  const { pair } = context.store.of(groupLinks).by;
  // The same two may be chosen twice.
  if (pair.find(holderKey({ type, id: place.record.id }, invited.record.id)) !== undefined) return;
  const since = Math.min(Math.max(place.since, invited.since) + 9 * dayMs, until - 15 * dayMs);
  const now = organisation.at(since);
  insertLink(
    writing,
    context,
    place.founder.caller,
    {
      source_type: type,
      source_id: place.record.id,
      group_id: invited.record.id,
      group_access: level,
      expires_at: endsIn === undefined ? null : organisation.day(endsIn),
      created_at: now,
      updated_at: now,
    },
    undefined,
  );
}

/** Adds an access request of a person without a role in the group or project. */
function askForAccess(organisation: Organisation, random: SeededRandom, person: Person, place: Place): void {
  const { context, writing, until } = organisation;
  const { store } = context;
  const access = context.get(Access);
  if (person.until < until) return;
  const source: Source = "isArchived" in place ? { project: place.record } : { group: place.record };
  const { type, id } = refOf(source);
  const level =
    "project" in source
      ? access.memberLevelInProject(person.user.id, source.project)
      : access.memberLevelInGroup(person.user.id, id);
  const key = holderKey({ type, id }, person.user.id);
  if (level > accessLevels.none || store.of(memberships).by.holder.find(key) !== undefined) return;
  if (store.of(accessRequests).by.holder.find(key) !== undefined) return;
  const now = organisation.at(until - (1 + random.fraction() * 25) * dayMs);
  writing.insert(accessRequests, {
    id: writing.nextId("access_requests"),
    source_type: type,
    source_id: id,
    user_id: person.user.id,
    created_at: now,
    updated_at: now,
  });
}
