/** A type of things in projects that users write notes on and react to; the API's word is noteable. */

import type { Caller, CallerUser, SignedInCaller } from "../../../domain/caller.ts";
import type { Failure } from "../../../domain/failure.ts";
import type { DateTime } from "../../../lib/datetime.ts";
import type { Store, Transaction } from "../../../store/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import type { InterpretedText, QuickActionUpdates } from "../../planning/quick-actions/index.ts";

/** The record of a thing, as far as all noteables have its fields. */
export interface Thing {
  readonly id: number;
  /** Left out where its paths have its id. */
  readonly iid?: number;
  readonly author_id: number;
  readonly title: string;
  readonly description: string | null;
  readonly updated_at: DateTime;
}

export interface Noteable<T extends Thing = Thing> {
  /** The `typeName` of the collection: the value of `noteable_type` and `awardable_type`. */
  readonly type: string;
  /** The word for it in system notes: `issue`, `merge request`. */
  readonly word: string;
  /** Its operations: `/projects/:id/issues/:issue_iid`. */
  readonly path: string;
  /** The name of the last parameter of the path, which is its iid or id. */
  readonly parameter: string;
  /** Of that parameter, in the API reference. */
  readonly parameterDescription: string;
  /** The thing with this id, without a check of rights. */
  find(store: Store, id: number): T | undefined;
  /** The thing that the path names; undefined where there is none or the caller may not read it. */
  findReadable(context: Context, caller: Caller, project: ProjectRecord, number: number): T | undefined;
  /** The error for one that is not there. */
  notFound(): Failure;
  canRead(context: Context, user: CallerUser | undefined, thing: T): boolean;
  /** The project that it is in; undefined: it is in none, or that is deleted. */
  findProject(store: Store, thing: T): ProjectRecord | undefined;
  /** Only members write notes on it. */
  isLocked(thing: T): boolean;
  /** Some of its notes may be for planners and above only. */
  readonly hasInternalNotes: boolean;
  /** The reference without its project: `#3`. */
  referenceOf(thing: T): string;
  /** The page of it, below that of its project: `issues/3`. */
  pagePathOf(thing: T): string;
  /** Users who get mails about it, unless they unsubscribed. */
  listParticipants(store: Store, thing: T): number[];
  /** Left out: its notes have no quick actions. */
  readonly quickActions?: QuickActionsOn<T>;
  /** Called when a user's note comes or goes. Left out: it does not count its notes. */
  countNotes?(tx: Transaction, thing: T, by: 1 | -1): void;
  /** Called when a reaction with this name comes or goes. Left out: it does not count reactions. */
  countReactions?(tx: Transaction, thing: T, name: string, by: 1 | -1): void;
}

/** The quick actions in notes on a thing. */
interface QuickActionsOn<T extends Thing> {
  interpret(context: Context, caller: SignedInCaller, project: ProjectRecord, thing: T, text: string): InterpretedText;
  write(tx: Transaction, context: Context, caller: SignedInCaller, thing: T, updates: QuickActionUpdates): void;
}

/** Gives a noteable its type, and takes that of its records away. */
export function defineNoteable<T extends Thing>(noteable: Noteable<T>): Noteable {
  return noteable;
}

/** A thing that the caller may read, and the project that it is in. */
export interface NoteTarget {
  readonly noteable: Noteable;
  readonly project: ProjectRecord;
  readonly thing: Thing;
}
