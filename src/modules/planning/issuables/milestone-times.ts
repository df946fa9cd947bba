/** The milestones by their times: upcoming, started, and others. */

import { type SourceRef, sourceKey } from "../../../domain/source.ts";
import type { CalendarDate } from "../../../lib/datetime.ts";
import { Bitmap, type IdSet, type Store } from "../../../store/index.ts";
import { Access, type AccessPolicy } from "../../core/access/index.ts";
import { serviceKey } from "../../kernel/service.ts";
import { type MilestoneRecord, milestones } from "../milestones/records.ts";
import type { Issuable, IssuableCollection } from "./records.ts";

/**
 * Active milestones by their dates: begun by today, not begun, due by today, and of those due later the first of each
 * project and each group.
 */
export type MilestoneTime = "started" | "not_started" | "due" | "upcoming";

const times = ["started", "not_started", "due", "upcoming"] as const;

interface TimeSets {
  readonly milestones: Set<number>;
  /** Issues or merge requests with one of these milestones. */
  readonly carriers: Bitmap;
}

/** The last day that a milestone can have: later ones stand for none. */
const lastDay = "9999-12-30";

/**
 * The issues, or the merge requests, with a milestone of each time, since there may be thousands of such milestones. Made
 * when first asked for on a day, then updated with each change of milestones and of these, the upcoming ones before the next
 * question.
 */
export class MilestoneTimeSets<T extends Issuable = Issuable> {
  readonly #store: Store;
  readonly #collection: IssuableCollection<T>;
  readonly #access: AccessPolicy;
  #day: CalendarDate | undefined;
  #sets = emptySets();
  /** Projects and groups in which another milestone may have become the upcoming one. */
  readonly #changedPlaces = new Set<string>();

  constructor(store: Store, access: AccessPolicy, collection: IssuableCollection<T>) {
    this.#store = store;
    this.#collection = collection;
    this.#access = access;
    store.watch(milestones, (before, after) => this.#noteMilestone(before, after));
    store.watch(collection, (before, after) => this.#noteCarrier(before, after));
  }

  /** Live until the next change, and not to be changed. */
  of(time: MilestoneTime): IdSet {
    this.#settle();
    return this.#sets[time].carriers;
  }

  /** Whether a milestone is of that time. */
  has(time: MilestoneTime, milestoneId: number): boolean {
    this.#settle();
    return this.#sets[time].milestones.has(milestoneId);
  }

  #settle(): void {
    if (this.#day !== this.#access.today) this.#make();
    for (const place of this.#changedPlaces) this.#chooseUpcoming(place);
    this.#changedPlaces.clear();
  }

  #make(): void {
    this.#day = this.#access.today;
    this.#sets = emptySets();
    const { by } = this.#store.of(milestones);
    for (const id of new Set([
      ...by.start_date.between(undefined, lastDay),
      ...by.due_date.between(undefined, lastDay),
    ])) {
      this.#noteMilestone(undefined, this.#store.of(milestones).get(id));
    }
  }

  #noteMilestone(before: MilestoneRecord | undefined, after: MilestoneRecord | undefined): void {
    if (this.#day === undefined) return;
    const { id } = (after ?? before) as MilestoneRecord;
    const { start_date = null, due_date = null } = after !== undefined && isActive(after) ? after : {};
    this.#set("started", id, start_date !== null && start_date <= this.#day);
    this.#set("not_started", id, start_date !== null && start_date > this.#day);
    this.#set("due", id, due_date !== null && due_date <= this.#day);
    // A change of one may change which of them comes first. That is worked out once for many changes.
    this.#set("upcoming", id, false);
    for (const each of [before, after]) if (each !== undefined) this.#changedPlaces.add(placeOf(each));
  }

  #noteCarrier(before: T | undefined, after: T | undefined): void {
    if (this.#day === undefined || (before?.milestone_id === after?.milestone_id && before && after)) return;
    for (const time of times) {
      const sets = this.#sets[time];
      if (after !== undefined && sets.milestones.has(after.milestone_id ?? 0)) sets.carriers.add(after.id);
      else sets.carriers.delete((after ?? before)?.id as number);
    }
  }

  /** Chooses the first of the milestones of a project or group that are due later, and those of the same day. */
  #chooseUpcoming(place: string): void {
    const documents = this.#store.of(milestones);
    const ofPlace = [...documents.by.source.find(place)]
      .map((id) => documents.get(id))
      .filter((each) => each !== undefined);
    let first: CalendarDate = lastDay;
    for (const each of ofPlace) if (this.#isLater(each) && each.due_date < first) first = each.due_date;
    for (const each of ofPlace) this.#set("upcoming", each.id, this.#isLater(each) && each.due_date === first);
  }

  #isLater(milestone: MilestoneRecord): milestone is MilestoneRecord & { readonly due_date: CalendarDate } {
    const { due_date } = milestone;
    return isActive(milestone) && due_date !== null && due_date > (this.#day as CalendarDate);
  }

  #set(time: MilestoneTime, milestoneId: number, isChosen: boolean): void {
    const sets = this.#sets[time];
    if (sets.milestones.has(milestoneId) === isChosen) return;
    if (isChosen) sets.milestones.add(milestoneId);
    else sets.milestones.delete(milestoneId);
    for (const id of this.#store.of(this.#collection).by.milestone_id.find(milestoneId)) {
      if (isChosen) sets.carriers.add(id);
      else sets.carriers.delete(id);
    }
  }
}

function emptySets(): Readonly<Record<MilestoneTime, TimeSets>> {
  const empty = (): TimeSets => ({ milestones: new Set(), carriers: new Bitmap() });
  return { started: empty(), not_started: empty(), due: empty(), upcoming: empty() };
}

function isActive({ state }: MilestoneRecord): boolean {
  return state === "active";
}

function placeOf({ source_type, source_id }: MilestoneRecord): string {
  return sourceKey({ type: source_type, id: source_id } satisfies SourceRef);
}

/** The sets of each collection. */
class TimesOfCollections {
  readonly #store: Store;
  readonly #access: AccessPolicy;
  readonly #byName = new Map<string, MilestoneTimeSets<never>>();

  constructor(store: Store, access: AccessPolicy) {
    this.#store = store;
    this.#access = access;
  }

  of<T extends Issuable>(collection: IssuableCollection<T>): Pick<MilestoneTimeSets, "of" | "has"> {
    const known = this.#byName.get(collection.name);
    if (known !== undefined) return known;
    const sets = new MilestoneTimeSets(this.#store, this.#access, collection);
    this.#byName.set(collection.name, sets as unknown as MilestoneTimeSets<never>);
    return sets;
  }
}

/** Knows which issues and merge requests have a milestone that has begun, or is due next. */
export const MilestoneTimes = serviceKey(
  "milestone-times",
  (context) => new TimesOfCollections(context.store, context.get(Access)),
);
