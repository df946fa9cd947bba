import type { SignedInCaller } from "../../domain/caller.ts";
import { dayMs, toCalendarDate } from "../../lib/datetime.ts";
import {
  findUserByUsername,
  getUser,
  insertUser,
  recordUserEvent,
  userDefaults,
} from "../../modules/core/users/index.ts";
import { type UserRecord, type UserState, users } from "../../modules/core/users/records.ts";
import type { Organisation, Person } from "../organisation.ts";
import type { SeededRandom } from "../seeded-random.ts";
import { bios, cast, type DemoUser, firstNames, jobTitles, lastNames, locations } from "../vocabulary/people.ts";
import { castGroups } from "../vocabulary/places.ts";

interface Company {
  /** The path of its top-level group. */
  readonly path: string;
  readonly name: string;
}

/** Returns a signed-in caller with an example address (RFC 5737). */
function callerOf(user: UserRecord): SignedInCaller {
  const network = ["192.0.2", "198.51.100", "203.0.113"][user.id % 3];
  return { user, token: undefined, ipAddress: `${network}.${1 + (user.id % 250)}` };
}

/** Creates the founders, then the people who joined later. The companies exist already. */
export function* seedPeople(organisation: Organisation, companies: readonly Company[]): Generator<undefined> {
  const { context, from, until } = organisation;
  const root = findUserByUsername(context.store, "root");
  if (root === undefined) throw new Error("the first start is not over");
  const random = organisation.random("people");
  for (const [at, member] of cast.entries()) {
    const company = castGroups.find(({ path }) => path === member.company) as Company;
    addMember(organisation, random, callerOf(root), { ...member, company }, { since: from + (at + 1) * 0.4 * dayMs });
    yield undefined;
  }
  const boss = organisation.person("mara.quist").caller;
  const count = organisation.count(24, 0.75);
  const [largest, ...others] = companies as [Company, ...Company[]];
  const share = 0.5 * organisation.settings.scale ** -0.3;
  const taken = new Set(cast.map(({ username }) => username));
  for (let at = 0; at < count; at += 1) {
    const since = from + (10 * dayMs + ((at + random.fraction()) / count) * (until - from - 20 * dayMs));
    const name = `${random.pick(firstNames)} ${random.pick(lastNames)}`;
    const username = freeName(taken, name.toLowerCase().replace(" ", "."));
    const company = random.chance(share) || others.length === 0 ? largest : random.pick(others);
    const host = company.path.replaceAll(/[^a-z0-9-]/g, "");
    const member = {
      ...{ username, name, company, email: `${username}@${host}.example` },
      ...{ job_title: random.pick(jobTitles), location: random.pick(locations), bio: random.pick(bios) },
    };
    const isLeaving = at % 12 === 7;
    const end = isLeaving ? since + (0.3 + 0.6 * random.fraction()) * (until - since) : undefined;
    const person = addMember(organisation, random, boss, member, { since, end });
    if (isLeaving) leave(organisation, boss, person, states[Math.floor(at / 12) % states.length] ?? states[0]);
    yield undefined;
  }
}

const states = [
  ["blocked", "user_blocked", "Blocked user"],
  ["deactivated", "user_deactivate", "Deactivated user"],
  ["banned", "ban_user", "Banned user"],
] as const satisfies readonly (readonly [UserState, string, string])[];

function freeName(taken: Set<string>, wanted: string): string {
  let username = wanted;
  for (let number = 2; taken.has(username); number += 1) username = `${wanted}${number}`;
  taken.add(username);
  return username;
}

function addMember(
  organisation: Organisation,
  random: SeededRandom,
  maker: SignedInCaller,
  { company, admin, auditor, external, ...profile }: Omit<DemoUser, "company"> & { readonly company: Company },
  { since, end = Number.POSITIVE_INFINITY }: { readonly since: number; readonly end?: number | undefined },
): Person {
  const { context, writing, until } = organisation;
  const now = organisation.at(since);
  const last = Math.min(end, until) - Math.floor(random.fraction() ** 3 * Math.min(200 * dayMs, until - since));
  const user = insertUser(writing, {
    ...userDefaults(now),
    ...profile,
    organization: company.name,
    is_admin: admin === true,
    is_auditor: auditor === true,
    external: external === true,
    two_factor_enabled: random.chance(0.4),
    created_by_id: maker.user.id,
    confirmed_at: now,
    last_activity_on: toCalendarDate(since),
  });
  const act = { add: "user", custom_message: `User ${user.username} created` };
  recordUserEvent(writing, context, maker, user, "user_created", act);
  const lastSeen = Math.max(since, last);
  const person = { user, since, until: end, lastSeen, company: company.path, caller: callerOf(user) };
  organisation.add({ person });
  return person;
}

/** Changes the state of the account of a person who left. */
function leave(
  organisation: Organisation,
  boss: SignedInCaller,
  person: Person,
  [state, event, message]: (typeof states)[number],
): void {
  const { context, writing } = organisation;
  const updated_at = organisation.at(person.until);
  const user = writing.update(users, { ...person.user, state, updated_at, last_activity_on: updated_at.slice(0, 10) });
  recordUserEvent(writing, context, boss, user, event, { custom_message: message });
}

/** Sets the fields that depend on everything else: the days of activity and the sign-in count. */
export function* finishUsers(organisation: Organisation): Generator<undefined> {
  const { context, writing } = organisation;
  const random = organisation.random("sign-ins");
  for (const { user, since, until, lastSeen } of organisation.people) {
    const last = Math.min(lastSeen, until);
    const current = Math.max(since, last - random.fraction() * dayMs);
    const before = Math.max(since, current - (0.5 + 4 * random.fraction()) * dayMs);
    writing.update(users, {
      ...getUser(context.store, user.id),
      last_activity_on: organisation.at(last).slice(0, 10),
      current_sign_in_at: organisation.at(current),
      last_sign_in_at: organisation.at(before),
      sign_in_count: 2 + Math.floor(((last - since) / dayMs) * (0.1 + 0.4 * random.fraction())),
    });
    yield undefined;
  }
}
