/** The cache of member lists. */

import { type SourceRef, sourceKey } from "../../../domain/source.ts";
import type { CalendarDate } from "../../../lib/datetime.ts";
import type { Store } from "../../../store/index.ts";
import { groups } from "../../groups-and-projects/groups/records.ts";
import { projects } from "../../groups-and-projects/projects/records.ts";
import { buildMemberList, type MemberList, type MemberListFilter } from "./member-list.ts";
import { watchSources } from "./service-source.ts";

const memberBytes = 9;
/** The limit of all lists together, in members. The list that was read longest ago is dropped first. */
const weightMax = 1_000_000;

/**
 * Keeps the members of sources, direct, inherited and invited, so that a page of them costs what a page of direct ones
 * does. A list is forgotten when a row or a share in one of its channels changes, when a group in them is moved, and
 * when the day ends.
 */
export class MemberListCache {
  readonly #store: Store;
  readonly #cached = new Map<string, MemberList>();
  /** Source of a channel → the lists that it is in. */
  readonly #keysBySource = new Map<string, Set<string>>();
  readonly #weightMax: number;
  #weight = 0;

  constructor(store: Store, limit = weightMax) {
    this.#store = store;
    this.#weightMax = limit;
    watchSources(store, (source) => this.#forgetThoseWith(source));
    store.watch(groups, (before, after) => {
      if (before?.parent_id === after?.parent_id && before !== undefined && after !== undefined) return;
      this.#forgetThoseWith({ type: "group", id: (before ?? after)?.id as number });
    });
    store.watch(projects, (before, after) => {
      if (before !== undefined && before.namespace_id === after?.namespace_id) return;
      this.#forgetThoseWith({ type: "project", id: (before ?? after)?.id as number });
    });
  }

  /** The weight of all cached lists; for tests. */
  get weight(): number {
    return this.#weight;
  }

  of(source: SourceRef, view: MemberListFilter, day: CalendarDate): MemberList {
    const key = keyOf(source, view);
    const cached = this.#cached.get(key);
    if (cached !== undefined) this.#forget(key);
    const list = cached?.day === day ? cached : buildMemberList(this.#store, source, view, day);
    this.#cache(key, list);
    return list;
  }

  #cache(key: string, list: MemberList): void {
    const weight = weightOf(key, list);
    for (const [oldest] of this.#cached) {
      if (this.#weight + weight <= this.#weightMax) break;
      this.#forget(oldest);
    }
    this.#cached.set(key, list);
    this.#weight += weight;
    for (const { source } of list.channels) {
      const name = sourceKey(source);
      const keys = this.#keysBySource.get(name) ?? new Set();
      this.#keysBySource.set(name, keys.add(key));
    }
  }

  #forget(key: string): void {
    const list = this.#cached.get(key);
    if (list === undefined) return;
    this.#cached.delete(key);
    this.#weight -= weightOf(key, list);
    for (const { source } of list.channels) {
      const name = sourceKey(source);
      const keys = this.#keysBySource.get(name);
      keys?.delete(key);
      if (keys?.size === 0) this.#keysBySource.delete(name);
    }
  }

  #forgetThoseWith(source: SourceRef): void {
    for (const key of [...(this.#keysBySource.get(sourceKey(source)) ?? [])]) this.#forget(key);
  }
}

/** The weight of an entry: its key names every hidden share. */
function weightOf(key: string, { weight }: MemberList): number {
  return weight + Math.ceil(key.length / memberBytes);
}

function keyOf(source: SourceRef, { state, isMinimalShown, hiddenLinks }: MemberListFilter): string {
  return `${sourceKey(source)} ${state ?? "any"} ${isMinimalShown} ${[...hiddenLinks].join()}`;
}
