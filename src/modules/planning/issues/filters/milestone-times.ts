/** The milestones by their times: upcoming, started, and others. */

import type { CalendarDate } from "../../../../lib/datetime.ts";
import { Bitmap, type IdSet, type Store } from "../../../../store/index.ts";
import { Access, type AccessPolicy, type SourceRef, sourceKey } from "../../../core/access/index.ts";
import { serviceKey } from "../../../kernel/service.ts";
import { type IssueRecord, issues, type MilestoneRecord, milestones } from "../../records/index.ts";

/**
 * Active milestones by their dates: begun by today, not begun, due by today, and of those due later the first of each
 * project and each group.
 */
export type MilestoneTime = "started" | "not_started" | "due" | "upcoming";

const times = ["started", "not_started", "due", "upcoming"] as const;

interface TimeSets {
  readonly milestones: Set<number>;
  /** Issues with one of these milestones. */
  readonly issues: Bitmap;
}

/** The last day that a milestone can have: later ones stand for none. */
const lastDay = "9999-12-30";

/**
 * The issues with a milestone of each time, since there may be thousands of such milestones. Made when first asked
 * for on a day, then updated with each change of milestones and issues.
 */
export class MilestoneTimeSets {
  readonly #store: Store;
  readonly #access: AccessPolicy;
  #day: CalendarDate | undefined;
  #sets = emptySets();

  constructor(store: Store, access: AccessPolicy) {
    this.#store = store;
    this.#access = access;
    store.watch(milestones, (before, after) => this.#noteMilestone(before, after));
    store.watch(issues, (before, after) => this.#noteIssue(before, after));
  }

  /** Live until the next change, and not to be changed. */
  of(time: MilestoneTime): IdSet {
    if (this.#day !== this.#access.today) this.#make();
    return this.#sets[time].issues;
  }

  /** Whether a milestone is of that time. */
  has(time: MilestoneTime, milestoneId: number): boolean {
    if (this.#day !== this.#access.today) this.#make();
    return this.#sets[time].milestones.has(milestoneId);
  }

  #make(): void {
    this.#day = this.#access.today;
    this.#sets = emptySets();
    const { by } = this.#store.of(milestones);
    const places = new Set<string>();
    for (const id of [...by.start_date.between(undefined, lastDay), ...by.due_date.between(undefined, lastDay)]) {
      const milestone = this.#store.of(milestones).get(id);
      if (milestone?.state === "active") places.add(placeOf(milestone));
    }
    for (const place of places) this.#choose(place, []);
  }

  #noteMilestone(before: MilestoneRecord | undefined, after: MilestoneRecord | undefined): void {
    if (this.#day === undefined) return;
    const changed = [before, after].filter((each) => each !== undefined);
    for (const place of new Set(changed.map(placeOf))) {
      this.#choose(
        place,
        changed.map(({ id }) => id),
      );
    }
  }

  #noteIssue(before: IssueRecord | undefined, after: IssueRecord | undefined): void {
    if (this.#day === undefined || (before?.milestone_id === after?.milestone_id && before && after)) return;
    for (const time of times) {
      const sets = this.#sets[time];
      if (after !== undefined && sets.milestones.has(after.milestone_id ?? 0)) sets.issues.add(after.id);
      else sets.issues.delete((after ?? before)?.id as number);
    }
  }

  /** Chooses among the milestones of one project or group; those in `others` may no longer exist. */
  #choose(place: string, others: readonly number[]): void {
    const today = this.#day as CalendarDate;
    const documents = this.#store.of(milestones);
    const ofPlace = [...documents.by.source.find(place)]
      .map((id) => documents.get(id))
      .filter((each) => each !== undefined);
    const later = ofPlace.filter((each) => isActive(each) && each.due_date !== null && each.due_date > today);
    const first = later.reduce((day, { due_date }) => (due_date !== null && due_date < day ? due_date : day), lastDay);
    const chosen = {
      started: ofPlace.filter((each) => isActive(each) && each.start_date !== null && each.start_date <= today),
      not_started: ofPlace.filter((each) => isActive(each) && each.start_date !== null && each.start_date > today),
      due: ofPlace.filter((each) => isActive(each) && each.due_date !== null && each.due_date <= today),
      upcoming: later.filter(({ due_date }) => due_date === first),
    };
    for (const time of times) {
      const ids = new Set(chosen[time].map(({ id }) => id));
      for (const { id } of ofPlace) this.#set(time, id, ids.has(id));
      for (const id of others) if (documents.get(id) === undefined) this.#set(time, id, false);
    }
  }

  #set(time: MilestoneTime, milestoneId: number, isChosen: boolean): void {
    const sets = this.#sets[time];
    if (sets.milestones.has(milestoneId) === isChosen) return;
    if (isChosen) sets.milestones.add(milestoneId);
    else sets.milestones.delete(milestoneId);
    for (const id of this.#store.of(issues).by.milestone_id.find(milestoneId)) {
      if (isChosen) sets.issues.add(id);
      else sets.issues.delete(id);
    }
  }
}

function emptySets(): Readonly<Record<MilestoneTime, TimeSets>> {
  const empty = (): TimeSets => ({ milestones: new Set(), issues: new Bitmap() });
  return { started: empty(), not_started: empty(), due: empty(), upcoming: empty() };
}

function isActive({ state }: MilestoneRecord): boolean {
  return state === "active";
}

function placeOf({ source_type, source_id }: MilestoneRecord): string {
  return sourceKey({ type: source_type, id: source_id } satisfies SourceRef);
}

/** Knows which issues have a milestone that has begun, or is due next. */
export const MilestoneTimes = serviceKey(
  "milestone-times",
  (context) => new MilestoneTimeSets(context.store, context.get(Access)),
);
