/** The sets of issues that a user may read. */

import { accessLevels } from "../../../domain/access-level.ts";
import type { CallerUser } from "../../../domain/caller.ts";
import { Bitmap, type IdSet, type Store } from "../../../store/index.ts";
import { Access, type AccessPolicy } from "../../core/access/index.ts";
import { users } from "../../core/users/records.ts";
import { type ProjectRecord, projects } from "../../groups-and-projects/projects/records.ts";
import { serviceKey } from "../../kernel/service.ts";
import { type IssueRecord, issues } from "../issues/records.ts";
import { GroupIssues } from "./group-issues.ts";
import { canReadIssue, isUnrestricted, plannerLevel } from "./policy.ts";
import { IssueTraits, type Trait, traitsOf } from "./traits.ts";

type User = CallerUser | undefined;

/** The issues that one user may read, as of some change. */
interface CachedSet {
  readonly standing: string;
  /** The sets of `Access` that it was made from: it makes others when the user's grants change. */
  readonly members: IdSet | undefined;
  readonly planners: IdSet | undefined;
  readonly readable: Bitmap;
  /** The number of changes of issues that it includes. */
  changesSeen: number;
}

/** Users whose sets are cached, each with a bit for every issue; the least recently used one is dropped. */
const cachedMax = 64;
/** The most changes that cached sets may have missed; after more, all are made again. */
const changesMax = 4_096;

/**
 * The issues that a user may read, as one set of bits for the query core to intersect. It is made from the sets of
 * `IssueTraits` and the postings of the user's own projects, and then follows changes of issues one by one.
 */
export class ReadableIssueSets {
  readonly #store: Store;
  readonly #access: AccessPolicy;
  readonly #traits: IssueTraits;
  readonly #inGroups: GroupIssues;
  readonly #cached = new Map<number, CachedSet>();
  #changed: number[] = [];

  constructor(store: Store, access: AccessPolicy) {
    this.#store = store;
    this.#access = access;
    this.#traits = new IssueTraits(store);
    this.#inGroups = new GroupIssues(store);
    store.watch(issues, (before, after) => {
      if (isReadBySame(before, after) || this.#cached.size === 0) return;
      if (this.#changed.push((after ?? before)?.id as number) > changesMax) this.#forget();
    });
    store.watch(projects, (before, after) => {
      if (isOpenToSame(before, after)) return;
      if (store.of(issues).by.project_id.find((after ?? before)?.id as number).size > 0) this.#forget();
    });
    store.watch(users, (before, after) => {
      const isAnyBanned = before?.state === "banned" || after?.state === "banned";
      if (isAnyBanned && before?.state !== after?.state) this.#forget();
    });
  }

  /** Live until the next change, and not to be changed. */
  of(user: User): IdSet {
    if (user?.is_admin === true) return this.#traits.of("on");
    const key = user?.id ?? 0;
    const known = this.#cached.get(key);
    const standing = `${user?.is_auditor} ${user?.external}`;
    const members = user && this.#access.projectsWith(user.id, accessLevels.guest);
    const planners = user && this.#access.projectsWith(user.id, plannerLevel);
    this.#cached.delete(key);
    if (known?.standing === standing && known.members === members && known.planners === planners) {
      this.#catchUp(known, user);
      this.#cached.set(key, known);
      return known.readable;
    }
    if (this.#cached.size >= cachedMax) this.#cached.delete(this.#cached.keys().next().value as number);
    const readable = this.#make(user, members ?? [], planners ?? []);
    this.#cached.set(key, { standing, members, planners, readable, changesSeen: this.#changed.length });
    return readable;
  }

  /** Whether the user may read one. */
  has(user: User, issue: IssueRecord): boolean {
    return canReadIssue(this.#store, this.#access, user, issue);
  }

  /** The issues of a group's projects, those of subgroups included, without a check of rights. */
  inGroup(groupId: number): IdSet {
    return this.#inGroups.of(groupId);
  }

  /** The issues of projects or authors with a trait. */
  withTrait(trait: Trait): IdSet {
    return this.#traits.of(trait);
  }

  #make(user: User, members: Iterable<number>, planners: Iterable<number>): Bitmap {
    const { by } = this.#store.of(issues);
    const readable = new Bitmap();
    const isFullyOpen = isUnrestricted(user);
    addTo(readable, this.#traits.of(isFullyOpen ? "on" : "public"));
    if (!isFullyOpen && user !== undefined && !user.external) addTo(readable, this.#traits.of("internal"));
    for (const id of members) {
      if (traitsOf(this.#store.of(projects).get(id)).includes("on")) addTo(readable, by.project_id.find(id));
    }
    if (!isFullyOpen) {
      const hidden = new Bitmap();
      addTo(hidden, by.confidential.find("yes"));
      const own = new Bitmap();
      for (const id of planners) addTo(own, by.project_id.find(id));
      if (user !== undefined) {
        addTo(own, by.author_id.find(user.id));
        addTo(own, by.assignee_id.find(user.id));
      }
      readable.andNotWith(hidden.andNotWith(own));
    }
    return readable.andNotWith(this.#traits.of("banned"));
  }

  #catchUp(cached: CachedSet, user: User): void {
    for (; cached.changesSeen < this.#changed.length; cached.changesSeen += 1) {
      const id = this.#changed[cached.changesSeen] as number;
      const issue = this.#store.of(issues).get(id);
      if (issue !== undefined && this.has(user, issue)) cached.readable.add(id);
      else cached.readable.delete(id);
    }
  }

  #forget(): void {
    this.#cached.clear();
    this.#changed = [];
  }
}

function addTo(bits: Bitmap, set: IdSet): void {
  if (set.addTo !== undefined) set.addTo(bits);
  else for (const id of set) bits.add(id);
}

/** Whether a change leaves those who may read an issue the same. */
function isReadBySame(before: IssueRecord | undefined, after: IssueRecord | undefined): boolean {
  if (before === undefined || after === undefined) return false;
  return (
    before.project_id === after.project_id &&
    before.confidential === after.confidential &&
    before.author_id === after.author_id &&
    before.assignee_ids.join() === after.assignee_ids.join()
  );
}

function isOpenToSame(before: ProjectRecord | undefined, after: ProjectRecord | undefined): boolean {
  return before?.namespace_id === after?.namespace_id && traitsOf(before).join() === traitsOf(after).join();
}

/** Knows which issues a user may read. */
export const ReadableIssues = serviceKey(
  "readable-issues",
  (context) => new ReadableIssueSets(context.store, context.get(Access)),
);
