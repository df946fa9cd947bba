import { dayMs } from "../../lib/datetime.ts";
import { insertGroup } from "../../modules/core/namespaces/index.ts";
import { insertFirstOwner, recordGroupEvent } from "../../modules/groups-and-projects/groups/index.ts";
import type { Organisation, SeededGroup } from "../organisation.ts";
import { type CastGroup, castGroups, companyBeginnings, companyEnds, teamNames } from "../vocabulary/places.ts";

/** Returns the companies that the scale needs besides the fixed ones, each a top-level group. */
export function companiesOf(
  organisation: Organisation,
): readonly { readonly name: string; readonly path: string; readonly description: string }[] {
  const random = organisation.random("companies");
  const taken = new Set<string>();
  return Array.from({ length: organisation.count(2, 0.65) }, () => {
    const [end, description] = random.pick(companyEnds);
    const name = `${random.pick(companyBeginnings)} ${end}`;
    const path = name.toLowerCase().replaceAll(" ", "-");
    for (let number = 1; ; number += 1) {
      const suffix = number === 1 ? "" : String(number);
      if (taken.has(path + suffix)) continue;
      taken.add(path + suffix);
      return { name: suffix === "" ? name : `${name} ${suffix}`, path: path + suffix, description };
    }
  });
}

export function* seedGroups(organisation: Organisation): Generator<undefined> {
  const { from, until } = organisation;
  for (const [at, group] of castGroups.entries()) {
    addGroup(organisation, group, from + (8 + at * 1.7) * dayMs);
    yield undefined;
  }
  const random = organisation.random("groups");
  const companies = companiesOf(organisation);
  for (const [at, { name, path, description }] of companies.entries()) {
    const since = from + 40 * dayMs + (at / companies.length) * 0.6 * (until - from);
    const staff = organisation.people.filter(
      (person) => person.company === path && person.since < since && person.until > until,
    );
    const founder = (staff[0] ?? organisation.person("mara.quist")).user.username;
    const visibility = random.pick(["private", "internal", "public"] as const);
    const [, topic] = random.pick(teamNames);
    const top: CastGroup = { path, name, description, visibility, topic, founder };
    addGroup(organisation, top, since);
    for (const [team, subject, about] of random.some(teamNames, random.integer(2, 5))) {
      const below = random.chance(0.4) ? "private" : visibility;
      const subgroup = { path: `${path}/${team.toLowerCase()}`, name: team, description: about, founder };
      addGroup(organisation, { ...subgroup, topic: subject, visibility: below }, since + random.integer(1, 30) * dayMs);
    }
    yield undefined;
  }
}

function addGroup(organisation: Organisation, group: CastGroup, since: number): void {
  const { context, writing } = organisation;
  const now = organisation.at(since);
  const slash = group.path.lastIndexOf("/");
  const parent = slash === -1 ? undefined : organisation.groupAt(group.path.slice(0, slash));
  const founder = organisation.person(group.founder);
  const record = insertGroup(writing, {
    name: group.name,
    path: group.path.slice(slash + 1),
    parent_id: parent?.record.id ?? null,
    description: group.description,
    visibility: group.visibility,
    settings: {},
    avatar: null,
    creator_id: founder.user.id,
    runners_token: context.randomness.token(20),
    repository_storage: context.repositories.storageNames[0] as string,
    created_at: now,
    updated_at: now,
  });
  recordGroupEvent(writing, context, founder.caller, record, "group_created", {
    add: "group",
    custom_message: "Added group",
  });
  insertFirstOwner(writing, context, founder.caller, record);
  const { path, topic } = group;
  const seeded: SeededGroup = {
    ...{ path, topic, record, parent, since, founder, company: path.split("/", 1)[0] as string },
    ...{ roles: [{ person: founder, level: 50, since }], labelIds: [], milestones: [], epics: [] },
  };
  organisation.add({ group: seeded });
}
