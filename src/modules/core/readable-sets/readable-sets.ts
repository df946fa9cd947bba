/** The sets of records that a user may read. */

import type { AccessLevel } from "../../../domain/access-level.ts";
import type { CallerUser } from "../../../domain/caller.ts";
import { Bitmap, type IdSet, type Store } from "../../../store/index.ts";
import { projects } from "../../groups-and-projects/projects/records.ts";
import type { AccessPolicy } from "../access/index.ts";
import { users } from "../users/records.ts";
import { GroupSets } from "./group-sets.ts";
import type { ProjectThing, ReadableKind } from "./kind.ts";
import { type Trait, Traits } from "./traits.ts";

type User = CallerUser | undefined;

/** The records that one user may read, as of some change. */
interface CachedSet {
  readonly standing: string;
  /** The sets of `Access` that it was made from, by level: it makes others when the user's grants change. */
  readonly memberships: ReadonlyMap<AccessLevel, IdSet>;
  readonly readable: Bitmap;
  /** The number of changes of records that it includes. */
  changesSeen: number;
}

/** Users whose sets are cached, each with a bit for every record; the least recently used one is dropped. */
const cachedMax = 64;
/** The most changes that cached sets may have missed; after more, all are made again. */
const changesMax = 4_096;

/**
 * The records of a kind that a user may read, as one set of bits for the query core to intersect. It is made from the sets of
 * `Traits` and the postings of the user's own projects, and then follows changes of records one by one.
 */
export class ReadableSets<T extends ProjectThing> {
  readonly #store: Store;
  readonly #access: AccessPolicy;
  readonly #kind: ReadableKind<T>;
  readonly #levels: readonly AccessLevel[];
  readonly #traits: Traits<T>;
  readonly #inGroups: GroupSets<T>;
  readonly #cached = new Map<number, CachedSet>();
  #changed: number[] = [];

  constructor(store: Store, access: AccessPolicy, kind: ReadableKind<T>) {
    this.#store = store;
    this.#access = access;
    this.#kind = kind;
    const { levels, restricted } = kind;
    this.#levels = [...new Set(restricted === undefined ? levels : [...levels, restricted.level])];
    this.#traits = new Traits(store, kind);
    this.#inGroups = new GroupSets(store, kind);
    store.watch(kind.collection, (before, after) => {
      if (this.#cached.size === 0 || this.#isReadBySame(before, after)) return;
      if (this.#changed.push((after ?? before)?.id as number) > changesMax) this.#forget();
    });
    store.watch(projects, (before, after) => {
      if (before?.namespace_id === after?.namespace_id && this.#traits.areSame(before, after)) return;
      if (kind.listInProject(store, (after ?? before)?.id as number).size > 0) this.#forget();
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
    const memberships = this.#membershipsOf(user);
    this.#cached.delete(key);
    if (
      known?.standing === standing &&
      this.#levels.every((each) => known.memberships.get(each) === memberships.get(each))
    ) {
      this.#catchUp(known, user);
      this.#cached.set(key, known);
      return known.readable;
    }
    if (this.#cached.size >= cachedMax) this.#cached.delete(this.#cached.keys().next().value as number);
    const readable = this.#make(user, memberships);
    this.#cached.set(key, { standing, memberships, readable, changesSeen: this.#changed.length });
    return readable;
  }

  /** Whether the user may read one. */
  has(user: User, record: T): boolean {
    return this.#kind.canRead(this.#store, this.#access, user, record);
  }

  /** The records in a group's projects, those of subgroups included, without a check of rights. */
  inGroup(groupId: number): IdSet {
    return this.#inGroups.of(groupId);
  }

  /** The records of projects or authors with a trait. */
  withTrait(trait: Trait): IdSet {
    return this.#traits.of(trait);
  }

  #membershipsOf(user: User): ReadonlyMap<AccessLevel, IdSet> {
    if (user === undefined) return new Map();
    return new Map(this.#levels.map((level) => [level, this.#access.projectsWith(user.id, level)]));
  }

  #make(user: User, memberships: ReadonlyMap<AccessLevel, IdSet>): Bitmap {
    const { restricted, levels } = this.#kind;
    const readable = new Bitmap();
    const isFullyOpen = isUnrestricted(user);
    addTo(readable, this.#traits.of(isFullyOpen ? "on" : "public"));
    if (!isFullyOpen && user !== undefined && !user.external) addTo(readable, this.#traits.of("internal"));
    for (const level of levels) {
      for (const id of memberships.get(level) ?? []) {
        if (this.#levelIn(id) === level) addTo(readable, this.#kind.listInProject(this.#store, id));
      }
    }
    if (!isFullyOpen && restricted !== undefined) {
      const hidden = new Bitmap();
      addTo(hidden, restricted.list(this.#store));
      const own = new Bitmap();
      for (const id of memberships.get(restricted.level) ?? []) addTo(own, this.#kind.listInProject(this.#store, id));
      if (user !== undefined) for (const set of restricted.listFor(this.#store, user.id)) addTo(own, set);
      readable.andNotWith(hidden.andNotWith(own));
    }
    return readable.andNotWith(this.#traits.of("banned"));
  }

  /** The level from which members read the records in a project; undefined: nobody reads them. */
  #levelIn(projectId: number): AccessLevel | undefined {
    const project = this.#store.of(projects).get(projectId);
    if (project === undefined || project.is_being_deleted === true) return undefined;
    return this.#kind.readersIn(project)?.level;
  }

  /** Whether a change leaves those who may read a record the same. */
  #isReadBySame(before: T | undefined, after: T | undefined): boolean {
    if (before === undefined || after === undefined) return false;
    if (before.project_id !== after.project_id || before.author_id !== after.author_id) return false;
    return this.#kind.restricted?.isReadBySame(before, after) ?? true;
  }

  #catchUp(cached: CachedSet, user: User): void {
    for (; cached.changesSeen < this.#changed.length; cached.changesSeen += 1) {
      const id = this.#changed[cached.changesSeen] as number;
      const record = this.#store.of(this.#kind.collection).get(id);
      if (record !== undefined && this.has(user, record)) cached.readable.add(id);
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

/** Administrators and auditors read everything that a project shows to anybody. */
export function isUnrestricted(user: User): boolean {
  return user !== undefined && (user.is_admin || user.is_auditor);
}
