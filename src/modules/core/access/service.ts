import { type AccessLevel, accessLevels } from "../../../domain/access-level.ts";
import type { CallerUser } from "../../../domain/caller.ts";
import type { Clock } from "../../../domain/clock.ts";
import { type SourceRef, sourceKey } from "../../../domain/source.ts";
import { type CalendarDate, toCalendarDate } from "../../../lib/datetime.ts";
import { Bitmap, type IdSet, type Store } from "../../../store/index.ts";
import { type GroupRecord, groups } from "../../groups-and-projects/groups/records.ts";
import { type ProjectRecord, projects } from "../../groups-and-projects/projects/records.ts";
import { groupLinks } from "../../groups-and-projects/shares/records.ts";
import { serviceKey } from "../../kernel/service.ts";
import { isExpired, memberships } from "../../members/members/records.ts";
import { selfAndAncestors } from "../namespaces/index.ts";
import {
  type EffectiveMembership,
  effectiveMembershipsOf,
  inheritedMembershipOf,
  type MembershipOrigin,
  membershipOriginsOf,
  membershipsThrough,
} from "./effective-memberships.ts";
import { type Grants, grantsOf, levelInProject, projectsWith, recordProject } from "./grants.ts";
import { effectiveMembershipOf, type MemberList, type MemberListFilter } from "./member-list.ts";
import { MemberListCache } from "./member-list-cache.ts";
import { ProjectHolders } from "./project-holders.ts";
import type { Source } from "./service-source.ts";
import { union } from "./unions.ts";

type User = CallerUser | undefined;

/** The most users whose grants are cached, and the most levels in their grants; the oldest grants are dropped first. */
const cachedMax = 4096;
const cachedLevelsMax = 1_000_000;
/** Up to so many origins, a climb takes less time than the grants of a member of many groups do. */
const climbedOriginsMax = 1_000;

/**
 * The one place that knows who may do what where (members-and-access 1 and 4.7, groups-and-projects 1): the effective
 * level of a user in a group or project, and the sets of those that a user may see. A user's grants are worked out once
 * and cached until a membership, a share, the tree, or the day changes them.
 */
export class AccessPolicy {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #cached = new Map<number, Grants>();
  #cachedLevels = 0;
  /** The origins of the sources that `climbing` looked at; undefined outside of it. */
  #climbed: Map<string, readonly MembershipOrigin[]> | undefined;
  readonly #rosters: MemberListCache;
  readonly #projectHolders: ProjectHolders;

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    this.#rosters = new MemberListCache(store);
    this.#projectHolders = new ProjectHolders(
      store,
      (userId) => this.projectsWith(userId, accessLevels.guest).size > 0,
    );
    store.watch(memberships, (before, after) => {
      if (before !== undefined) this.#forget(before.user_id);
      if (after !== undefined) this.#forget(after.user_id);
    });
    store.watch(groupLinks, (before, after) => {
      this.#forgetThoseIn(before?.group_id);
      this.#forgetThoseIn(after?.group_id);
    });
    store.watch(groups, (before, after) => {
      if (before?.parent_id === after?.parent_id && (before === undefined) === (after === undefined)) return;
      this.#forgetThoseIn(before?.parent_id, before?.id);
      this.#forgetThoseIn(after?.parent_id, after?.id);
    });
    store.watch(projects, (before, after) => this.#noteProject(before, after));
  }

  /** Today in UTC: memberships and shares end with their day. */
  get today(): CalendarDate {
    return toCalendarDate(this.#clock.now());
  }

  /** The effective level; 0 without one, 50 for administrators. */
  levelInGroup(user: User, groupId: number): AccessLevel {
    if (user === undefined) return accessLevels.none;
    return user.is_admin ? accessLevels.owner : this.memberLevelInGroup(user.id, groupId);
  }

  /** The effective level; 0 without one, 50 for administrators. */
  levelInProject(user: User, project: ProjectRecord): AccessLevel {
    if (user === undefined) return accessLevels.none;
    return user.is_admin ? accessLevels.owner : this.memberLevelInProject(user.id, project);
  }

  /** The effective level in a source that is known by its id only; 0 for a project that is not there. */
  levelIn(user: User, { type, id }: SourceRef): AccessLevel {
    if (type === "group") return this.levelInGroup(user, id);
    const project = this.#store.of(projects).get(id);
    return project === undefined ? accessLevels.none : this.levelInProject(user, project);
  }

  /** Returns the level as a member of any origin; being an administrator does not count. */
  memberLevelInGroup(userId: number, groupId: number): AccessLevel {
    const climbed = this.#climb(userId, { type: "group", id: groupId });
    return climbed ?? this.#grantsOf(userId).groups.get(groupId) ?? accessLevels.none;
  }

  /** Returns the level as a member of any origin; being an administrator does not count. */
  memberLevelInProject(userId: number, { id, namespace_id }: ProjectRecord): AccessLevel {
    return this.#climb(userId, { type: "project", id }) ?? levelInProject(this.#grantsOf(userId), id, namespace_id);
  }

  /**
   * Does work that asks for the levels of many users in a few places. It climbs from each place to the memberships of a user:
   * the grants of all these users may be large, and nothing else needs them. `work` must not change memberships.
   */
  climbing<R>(work: () => R): R {
    const before = this.#climbed;
    this.#climbed = new Map();
    try {
      return work();
    } finally {
      this.#climbed = before;
    }
  }

  /** Whether a group or project is being deleted, alone or with a group above it: no user sees it. */
  isBeingDeleted(source: Source): boolean {
    return "group" in source
      ? source.group.is_being_deleted === true || this.#isBeingDeleted(source.group.parent_id)
      : source.project.is_being_deleted === true || this.#isBeingDeleted(source.project.namespace_id);
  }

  canSeeGroup(user: User, group: GroupRecord): boolean {
    if (this.isBeingDeleted({ group })) return false;
    if (this.#canEnterGroup(user, group)) return true;
    return user !== undefined && this.#grantsOf(user.id).above.has(group.id);
  }

  /** Whether the user sees a group for nothing but a membership below it. */
  seesGroupFromBelow(user: User, group: GroupRecord): boolean {
    return this.canSeeGroup(user, group) && !this.#canEnterGroup(user, group);
  }

  #canEnterGroup(user: User, { id, visibility }: GroupRecord): boolean {
    if (visibility === "public" || canReadEverything(user)) return true;
    if (user === undefined) return false;
    if (visibility === "internal" && !user.external) return true;
    if ((this.#climb(user.id, { type: "group", id }) ?? accessLevels.none) > accessLevels.none) return true;
    return this.#grantsOf(user.id).groups.has(id);
  }

  canSeeProject(user: User, project: ProjectRecord): boolean {
    if (this.isBeingDeleted({ project })) return false;
    if (project.visibility === "public" || canReadEverything(user)) return true;
    if (user === undefined) return false;
    if (project.visibility === "internal" && !user.external) return true;
    return this.memberLevelInProject(user.id, project) >= accessLevels.guest;
  }

  /** The groups that the user can see; undefined: all groups. Those being deleted are included. */
  visibleGroups(user: User): IdSet | undefined {
    if (canReadEverything(user)) return undefined;
    const open = this.#openTo(user, (key) => this.#store.of(groups).by.visibility.find(key));
    if (user === undefined) return open;
    const grants = this.#grantsOf(user.id);
    return union(open, grants.groups.keys(), grants.above);
  }

  /** The projects that the user can see; undefined: all projects. Those being deleted are included. */
  visibleProjects(user: User): IdSet | undefined {
    if (canReadEverything(user)) return undefined;
    const open = this.#openTo(user, (key) => this.#store.of(projects).by.visibility.find(key));
    return user === undefined ? open : union(open, this.projectsWith(user.id, accessLevels.guest));
  }

  /** Groups in which the user has at least this level, as a member in any way. */
  groupsWith(userId: number, level: AccessLevel): ReadonlySet<number> {
    const held = new Set<number>();
    for (const [id, its] of this.#grantsOf(userId).groups) if (its >= level) held.add(id);
    return held;
  }

  /** Projects in which the user has at least this level, as a member in any way; not to be changed. */
  projectsWith(userId: number, level: AccessLevel): IdSet {
    return projectsWith(this.#store, this.#grantsOf(userId), level);
  }

  /** All memberships of a user here, the effective one first: it has the highest level. */
  explain(userId: number, source: SourceRef): EffectiveMembership[] {
    return effectiveMembershipsOf(this.#store, userId, source, this.today);
  }

  /** The membership of a user in the groups above a source that has the highest level. */
  inherited(userId: number, source: SourceRef): EffectiveMembership | undefined {
    return inheritedMembershipOf(this.#store, userId, source, this.today);
  }

  /** The members of a source in every way, one entry for each user, oldest row first. */
  roster(source: SourceRef, view: MemberListFilter): MemberList {
    return this.#rosters.of(source, view, this.today);
  }

  /** The entry of one user in `roster`. */
  wayOf(userId: number, source: SourceRef, view: MemberListFilter): EffectiveMembership | undefined {
    return effectiveMembershipOf(this.#store, source, userId, view, this.today);
  }

  /** Users who have a project, their own or as a member in any way; not to be changed. */
  usersWithProjects(): IdSet {
    return this.#projectHolders.on(this.today);
  }

  /** The highest level of a user anywhere; 0 without a membership. */
  highestLevel(userId: number): AccessLevel {
    let highest: AccessLevel = accessLevels.none;
    for (const id of this.#store.of(memberships).by.user_id.find(userId)) {
      const row = this.#store.of(memberships).get(id);
      if (row === undefined || row.state !== "active" || isExpired(row, this.today)) continue;
      if (row.access_level > highest) highest = row.access_level;
    }
    return highest;
  }

  /** Whether the group, or one above it, is being deleted: the job that removes what is below may not be there yet. */
  #isBeingDeleted(groupId: number | null): boolean {
    const documents = this.#store.of(groups);
    if (groupId === null || documents.by.deletion.find("accepted").size === 0) return false;
    return selfAndAncestors(this.#store, groupId).some(({ id }) => documents.get(id)?.is_being_deleted === true);
  }

  #openTo(user: User, withVisibility: (key: string) => IdSet | undefined): IdSet {
    const open = withVisibility("public") ?? new Bitmap();
    if (user === undefined || user.external) return open;
    return union(open, withVisibility("internal") ?? []);
  }

  #grantsOf(userId: number): Grants {
    const cached = this.#cached.get(userId);
    const today = this.today;
    if (cached?.day === today) return cached;
    const grants = grantsOf(this.#store, userId, today);
    this.#forget(userId);
    this.#cachedLevels += sizeOf(grants);
    for (const oldest of this.#cached.keys()) {
      if (this.#cached.size < cachedMax && this.#cachedLevels <= cachedLevelsMax) break;
      this.#forget(oldest);
    }
    this.#cached.set(userId, grants);
    return grants;
  }

  #forget(userId: number): void {
    const grants = this.#cached.get(userId);
    if (grants === undefined) return;
    this.#cachedLevels -= sizeOf(grants);
    this.#cached.delete(userId);
  }

  /** Within `climbing`, the level of a user whose grants are not cached; undefined: ask the grants. */
  #climb(userId: number, source: SourceRef): AccessLevel | undefined {
    const climbed = this.#climbed;
    const { today } = this;
    if (climbed === undefined || this.#cached.get(userId)?.day === today) return undefined;
    const key = sourceKey(source);
    const origins = climbed.get(key) ?? membershipOriginsOf(this.#store, source, today);
    climbed.set(key, origins);
    if (origins.length > climbedOriginsMax) return undefined;
    return membershipsThrough(this.#store, userId, origins, today)[0]?.level ?? accessLevels.none;
  }

  #forgetThoseIn(...groupIds: readonly (number | null | undefined)[]): void {
    for (const id of groupIds) {
      if (id === null || id === undefined) continue;
      for (const [userId, grants] of this.#cached) {
        if (grants.groups.has(id) || grants.above.has(id)) this.#forget(userId);
      }
    }
  }

  #noteProject(before: ProjectRecord | undefined, after: ProjectRecord | undefined): void {
    if (before !== undefined && before.namespace_id === after?.namespace_id) return;
    const id = (before ?? after)?.id as number;
    for (const [userId, grants] of this.#cached) {
      // The groups above the project have changed for its direct members.
      if (grants.projects.has(id)) this.#forget(userId);
      else recordProject(grants, id, after?.namespace_id);
    }
  }
}

function sizeOf({ groups: inGroups, projects: inProjects, above }: Grants): number {
  return inGroups.size + inProjects.size + above.size;
}

/** Administrators and auditors see every group and project; an auditor has no level there. */
function canReadEverything(user: User): boolean {
  return user !== undefined && (user.is_admin || user.is_auditor);
}

/** Decides who may do what in groups and projects. */
export const Access = serviceKey("access", ({ store, clock }) => new AccessPolicy(store, clock));
