/** The projects that each user has as a member or owner, updated with each change. */

import { accessLevels } from "../../../domain/access-level.ts";
import type { CalendarDate } from "../../../lib/datetime.ts";
import { Bitmap, type IdSet, type Store } from "../../../store/index.ts";
import { groups } from "../../groups-and-projects/groups/records.ts";
import { namespaces } from "../../groups-and-projects/namespaces-api/records.ts";
import { type ProjectRecord, projects } from "../../groups-and-projects/projects/records.ts";
import { groupLinks } from "../../groups-and-projects/shares/records.ts";
import { isExpired, type MembershipRecord, memberships } from "../../members/members/records.ts";
import { selfAndAncestors } from "../namespaces/index.ts";

/** The users who have a project, and the sets behind that answer, on one day. */
interface Known {
  readonly day: CalendarDate;
  readonly users: Bitmap;
  /** Namespaces with a project in them or below. */
  readonly withProjects: ReadonlySet<number>;
  /** Groups whose members have a project: one below, or one that the group was invited to. */
  readonly reaching: ReadonlySet<number>;
  /** Users of whom something was taken since. */
  readonly doubtful: Set<number>;
}

/**
 * Users with a project: their own, or through a membership in any way (users-and-auth 5, `without_projects`). Worked out
 * when first asked for, in one walk over projects, shares and memberships, and then cached: a membership costs one entry, a
 * project in a group that had one already nothing. When a group gets its first project or loses its last, when a share
 * changes or a group is moved, and when the day ends, it is computed again for the next call.
 */
export class ProjectHolders {
  readonly #store: Store;
  readonly #isMember: (userId: number) => boolean;
  #known: Known | undefined;

  /** `isMember`: whether the user is a member of a project. */
  constructor(store: Store, isMember: (userId: number) => boolean) {
    this.#store = store;
    this.#isMember = isMember;
    store.watch(memberships, (before, after) => {
      if (before !== undefined) this.#known?.doubtful.add(before.user_id);
      if (after !== undefined && this.#known !== undefined && this.#gives(after, this.#known)) {
        this.#known.users.add(after.user_id);
      }
    });
    store.watch(groupLinks, () => this.#forget());
    store.watch(groups, (before, after) => {
      if (before !== undefined && before.parent_id !== after?.parent_id) this.#forget();
    });
    store.watch(projects, (before, after) => this.#noteProject(before, after));
  }

  /** Returns the set itself; callers must not change it. */
  on(day: CalendarDate): IdSet {
    const known = this.#known?.day === day ? this.#known : this.#survey(day);
    this.#known = known;
    for (const userId of known.doubtful) {
      if (this.#hasOwn(userId) || this.#isMember(userId)) known.users.add(userId);
      else known.users.delete(userId);
    }
    known.doubtful.clear();
    return known.users;
  }

  #survey(day: CalendarDate): Known {
    const store = this.#store;
    const users = new Bitmap();
    const withProjects = new Set<number>();
    const climb = (into: Set<number>, namespaceId: number) => {
      if (!into.has(namespaceId)) for (const { id } of selfAndAncestors(store, namespaceId)) into.add(id);
    };
    for (const id of store.of(projects).by.id.walk(false)) {
      climb(withProjects, store.of(projects).get(id)?.namespace_id ?? 0);
    }
    for (const id of withProjects) {
      const owner = store.of(namespaces).get(id)?.owner_id;
      if (owner !== undefined && owner !== null) users.add(owner);
    }
    const reaching = new Set(withProjects);
    for (const id of store.of(groupLinks).by.id.walk(false)) {
      const link = store.of(groupLinks).get(id);
      if (link === undefined || isExpired(link, day)) continue;
      if (link.source_type === "project" || withProjects.has(link.source_id)) climb(reaching, link.group_id);
    }
    const known = { day, users, withProjects, reaching, doubtful: new Set<number>() };
    for (const id of store.of(memberships).by.id.walk(false)) {
      const row = store.of(memberships).get(id);
      if (row !== undefined && this.#gives(row, known)) users.add(row.user_id);
    }
    return known;
  }

  #gives(row: MembershipRecord, { reaching, day }: Known): boolean {
    if (row.state !== "active" || isExpired(row, day)) return false;
    if (row.source_type === "project") return true;
    return row.access_level >= accessLevels.guest && reaching.has(row.source_id);
  }

  #noteProject(before: ProjectRecord | undefined, after: ProjectRecord | undefined): void {
    const known = this.#known;
    if (known === undefined || before?.namespace_id === after?.namespace_id) return;
    for (const namespaceId of [before?.namespace_id, after?.namespace_id]) {
      if (namespaceId === undefined) continue;
      const owner = this.#store.of(namespaces).get(namespaceId)?.owner_id;
      const isEmpty = (this.#store.of(projects).by.namespace_id.find(namespaceId)?.size ?? 0) === 0;
      if (owner !== undefined && owner !== null) known.doubtful.add(owner);
      else if (isEmpty || !known.withProjects.has(namespaceId)) this.#forget();
    }
  }

  #hasOwn(userId: number): boolean {
    const namespaceId = this.#store.of(namespaces).by.owner_id.find(userId);
    return namespaceId !== undefined && (this.#store.of(projects).by.namespace_id.find(namespaceId)?.size ?? 0) > 0;
  }

  #forget(): void {
    this.#known = undefined;
  }
}
