import type { AccessLevel } from "../domain/access-level.ts";
import type { SignedInCaller } from "../domain/caller.ts";
import type { Commit } from "../git/index.ts";
import { dayMs, toCalendarDate, toDateTime } from "../lib/datetime.ts";
import type { UserRecord } from "../modules/core/users/records.ts";
import type { GroupRecord } from "../modules/groups-and-projects/groups/records.ts";
import type { ProjectRecord } from "../modules/groups-and-projects/projects/records.ts";
import type { Context } from "../modules/kernel/context.ts";
import { SeededRandom } from "./seeded-random.ts";
import type { Topic } from "./vocabulary/topics.ts";
import { workingTime } from "./working-hours.ts";
import { Writing } from "./writing.ts";

/** A person of the organisation. */
export interface Person {
  readonly user: UserRecord;
  /** All times of the seed are in milliseconds. */
  readonly since: number;
  /** The time when they leave; infinite for those who stay. */
  readonly until: number;
  /** The time of their last activity. */
  lastSeen: number;
  readonly caller: SignedInCaller;
  /** The path of their company's top-level group. */
  readonly company: string;
}

/** A person's direct role in a group or project. */
interface Role {
  readonly person: Person;
  readonly level: AccessLevel;
  readonly since: number;
}

interface Place {
  readonly path: string;
  readonly since: number;
  readonly company: string;
  readonly topic: Topic;
  readonly founder: Person;
  readonly roles: Role[];
  /** The ids of its own labels and of those of parent groups. */
  readonly labelIds: number[];
  readonly milestones: PlannedMilestone[];
}

interface PlannedMilestone {
  readonly id: number;
  /** The time when work on it starts. */
  readonly from: number;
  readonly to: number;
}

export interface SeededGroup extends Place {
  readonly record: GroupRecord;
  readonly parent: SeededGroup | undefined;
  readonly epics: { readonly id: number; readonly since: number; last: number }[];
}

export interface SeededProject extends Place {
  /** The record as last written. `finishProjects` sets its final state. */
  record: ProjectRecord;
  /** undefined in a personal namespace. */
  readonly group: SeededGroup | undefined;
  /** The share of the activity, compared with other projects. */
  readonly weight: number;
  /** The time of the last activity, as it is stored. */
  lastActivity: number;
  stars: number;
  /** The titles of its issues. */
  readonly titles: Set<string>;
  /** True when the project is archived in the end. */
  readonly isArchived: boolean;
  readonly isEmpty: boolean;
  history?: History;
}

/** The content of a repository, oldest first. */
export interface History {
  readonly commits: readonly Commit[];
  readonly branches: readonly { readonly name: string; readonly commit: Commit }[];
  readonly tags: readonly { readonly name: string; readonly commit: Commit }[];
  /** The text of the CI file, and its first commit. */
  readonly ciFile: string | undefined;
  readonly ciSince: number;
}

export interface SeedSettings {
  readonly seed: number;
  /** 1 means about two thousand documents. */
  readonly scale: number;
  /** The end of the history, which has at most two years. */
  readonly until: number;
}

const spanDays = 730;

/** The state that the generators share while they fill the store. */
export class Organisation {
  readonly context: Context;
  readonly settings: SeedSettings;
  readonly from: number;
  readonly until: number;
  readonly writing = new Writing();
  readonly people: Person[] = [];
  readonly groups: SeededGroup[] = [];
  readonly projects: SeededProject[] = [];
  /** The groups by full path. */
  readonly #groupAt = new Map<string, SeededGroup>();
  readonly #personCalled = new Map<string, Person>();
  readonly #projectAt = new Map<string, SeededProject>();
  #now: number;

  constructor(context: Context, settings: SeedSettings) {
    this.settings = settings;
    this.until = settings.until;
    this.from = settings.until - spanDays * dayMs;
    this.#now = this.shown(this.from);
    // Services see the time of the event that is being written.
    this.context = { ...context, clock: { ...context.clock, now: () => this.#now } };
  }

  /** Returns a number that is `few` at scale 1 and grows more slowly than the number of issues. */
  count(few: number, growth: number): number {
    return Math.round(few * this.settings.scale ** growth);
  }

  random(area: string): SeededRandom {
    return new SeededRandom(this.settings.seed, area);
  }

  /** Sets the time that services see, moved into working hours, and returns it. */
  at(time: number): string {
    return this.exactly(workingTime(time));
  }

  /** Sets the time without moving it: for machines, and for times that `at` or `shown` returned before. */
  exactly(time: number): string {
    this.#now = Math.min(Math.floor(time), this.until - 1);
    return toDateTime(this.#now);
  }

  /** Returns the time that services would see for an event at this time. */
  shown(time: number): number {
    return Math.min(Math.floor(workingTime(time)), this.until - 1);
  }

  /** Returns the day that is `offset` days after the end, or before it when negative. */
  day(offset: number): string {
    return toCalendarDate(this.until + offset * dayMs);
  }

  add(
    added: { readonly person: Person } | { readonly group: SeededGroup } | { readonly project: SeededProject },
  ): void {
    if ("person" in added) {
      this.people.push(added.person);
      this.#personCalled.set(added.person.user.username, added.person);
    } else if ("group" in added) {
      this.groups.push(added.group);
      this.#groupAt.set(added.group.path, added.group);
    } else {
      this.projects.push(added.project);
      this.#projectAt.set(added.project.path, added.project);
    }
  }

  person(username: string): Person {
    return requireFound(this.#personCalled, username);
  }

  group(path: string): SeededGroup {
    return requireFound(this.#groupAt, path);
  }

  project(path: string): SeededProject {
    return requireFound(this.#projectAt, path);
  }

  /** Returns the group of a path; undefined for a personal namespace. */
  groupAt(path: string): SeededGroup | undefined {
    return this.#groupAt.get(path);
  }
}

function requireFound<T>(all: ReadonlyMap<string, T>, name: string): T {
  const one = all.get(name);
  if (one === undefined) throw new Error(`nothing is called ${name}`);
  return one;
}

/** Returns a group and its parents, the nearest first. */
export function chainOf(group: SeededGroup | undefined): SeededGroup[] {
  const chain: SeededGroup[] = [];
  for (let at = group; at !== undefined; at = at.parent) chain.push(at);
  return chain;
}

/** Returns a person who had such a role at that time, in a project or above it; the founder if there is none. */
export function randomMember(
  random: SeededRandom,
  place: SeededGroup | SeededProject,
  time: number,
  least: AccessLevel,
): Person {
  const above = "group" in place ? chainOf(place.group) : chainOf(place as SeededGroup);
  const lists = [...("group" in place ? [place.roles] : []), ...above.map(({ roles }) => roles)];
  const all = lists.reduce((sum, roles) => sum + roles.length, 0);
  for (let tries = 0; tries < 6; tries += 1) {
    // Earlier members are more active than later ones.
    let at = Math.floor(random.fraction() ** 1.6 * all);
    for (const roles of lists) {
      const role = roles[at];
      if (role !== undefined) {
        const { person } = role;
        if (role.since > time || role.level < least || person.until <= time) break;
        person.lastSeen = Math.max(person.lastSeen, time);
        return person;
      }
      at -= roles.length;
    }
  }
  place.founder.lastSeen = Math.max(place.founder.lastSeen, time);
  return place.founder;
}
