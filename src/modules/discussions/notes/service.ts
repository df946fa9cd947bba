import { accessLevels } from "../../../domain/access-level.ts";
import type { Caller, SignedInCaller } from "../../../domain/caller.ts";
import { type Failure, forbidden, invalid, requireUnmodified } from "../../../domain/failure.ts";
import type { Page, PageRequest } from "../../../domain/page.ts";
import { subjectKey } from "../../../domain/subject.ts";
import { type DateTime, toDateTime } from "../../../lib/datetime.ts";
import { exceedsLength } from "../../../lib/text/text.ts";
import type { Condition, Transaction } from "../../../store/index.ts";
import { Access, requireUnarchived } from "../../core/access/index.ts";
import { removeAllDependents, removeDependents } from "../../core/dependents/index.ts";
import type { Context } from "../../kernel/context.ts";
import { publish } from "../../kernel/event.ts";
import { insertRecord, updateRecord } from "../../kernel/record-events.ts";
import { firstOf } from "../../kernel/removal.ts";
import { canReadInternalNotes } from "../../planning/issues/index.ts";
import type { InterpretedText, QuickActionUpdates } from "../../planning/quick-actions/index.ts";
import { Noteables, type NoteTarget, type Thing } from "../noteables/index.ts";
import { noteEvents } from "./events.ts";
import { type NoteRecord, notes } from "./records.ts";
import type { CreateNote, ListNotes } from "./schema.ts";
import { hiddenNotesOn } from "./service-find.ts";

const bodyMax = 1_000_000;

/** `GET …/notes` (issues-labels-milestones-epics 5), the newest first unless said otherwise. */
export function listNotes(
  context: Context,
  { user }: Caller,
  { noteable, project, thing }: NoteTarget,
  { sort, order_by, activity_filter }: ListNotes,
  page: PageRequest,
): Page<NoteRecord> {
  const subject = { type: noteable.type, id: thing.id };
  const key = subjectKey(subject);
  const where: Condition<typeof notes.indexes>[] = [{ index: "noteable", key }];
  if (activity_filter === "only_activity") where.push({ index: "system", key });
  if (activity_filter === "only_comments") where.push({ not: { index: "system", key } });
  if (!canReadInternalNotes(context, user, project)) where.push({ not: { index: "internal", key } });
  const hidden = hiddenNotesOn(context, user, subject);
  if (hidden.length > 0) where.push({ not: { ids: hidden } });
  return context.store.page(notes, { where, order: order_by ?? "created_at", descending: sort !== "asc", page });
}

/** A written note, or the result of a text that had quick actions alone, which leaves no note. */
export interface WrittenNote {
  readonly note: NoteRecord | undefined;
  readonly updates: QuickActionUpdates;
  readonly messages: readonly string[];
}

/**
 * `POST …/notes`. Throws 403 for an internal note of a user who could not read it, on a locked thing and in an archived project, 400 for a bad
 * body, and where no quick action of a body without text can be carried out.
 */
export function createNote(
  context: Context,
  caller: SignedInCaller,
  target: NoteTarget,
  { body, created_at, ...params }: CreateNote,
): WrittenNote {
  const { noteable, project, thing } = target;
  const internal = params.internal === true || params.confidential === true;
  requireOpenDiscussion(context, caller, target);
  if (internal && !noteable.hasInternalNotes) {
    throw invalidNote("confidential", "can not be set for this type of note");
  }
  if (internal && !canReadInternalNotes(context, caller.user, project)) throw forbidden();
  validateBody(body);
  const { text, updates, messages } = interpretBody(context, caller, target, body);
  const { store, clock } = context;
  const maySetTime = context.get(Access).levelInProject(caller.user, project) >= accessLevels.owner;
  const now = (maySetTime ? created_at : undefined) ?? toDateTime(clock.now());
  return store.transact((tx) => {
    if (text === "") {
      noteable.quickActions?.write(tx, context, caller, thing, updates);
      return { note: undefined, updates, messages };
    }
    noteable.countNotes?.(tx, thing, 1);
    const note = insertRecord(tx, context, caller, noteEvents, {
      id: tx.nextId("notes"),
      noteable_type: noteable.type,
      noteable_id: thing.id,
      author_id: caller.user.id,
      body: text,
      system: false,
      internal,
      created_at: now,
      updated_at: now,
    });
    noteable.quickActions?.write(tx, context, caller, getCurrent(context, target), updates);
    return { note, updates, messages };
  });
}

/**
 * `PUT …/notes/:note_id`; a body of quick actions alone deletes the note. Throws 403 without the right, 400 for a bad body.
 */
export function updateNote(
  context: Context,
  caller: SignedInCaller,
  target: NoteTarget,
  note: NoteRecord,
  body: string,
): WrittenNote {
  requireAuthor(context, caller, target, note);
  validateBody(body);
  const { text, updates, messages } = interpretBody(context, caller, target, body);
  if (note.body === text) return { note, updates: {}, messages };
  const { store, clock } = context;
  return store.transact((tx) => {
    const changed = { ...note, body: text, updated_at: toDateTime(clock.now()) };
    const after = text === "" ? undefined : updateRecord(tx, context, caller, noteEvents, changed);
    if (after === undefined) removeNote(tx, context, caller, note);
    target.noteable.quickActions?.write(tx, context, caller, getCurrent(context, target), updates);
    return { note: after, updates, messages };
  });
}

/** The thing after the changes of this transaction. */
function getCurrent({ store }: Context, { noteable, thing }: NoteTarget): Thing {
  return noteable.find(store, thing.id) ?? thing;
}

/** Throws 400 for a body without text of which no quick action says anything. */
function interpretBody(
  context: Context,
  caller: SignedInCaller,
  { noteable, project, thing }: NoteTarget,
  body: string,
): InterpretedText {
  const interpreted = noteable.quickActions?.interpret(context, caller, project, thing, body);
  if (interpreted === undefined) return { text: body, updates: {}, messages: [], actionCount: 0 };
  if (interpreted.text === "" && interpreted.messages.length === 0) {
    throw invalid("400 Bad request - Failed to apply commands.");
  }
  return interpreted;
}

/** `DELETE …/notes/:note_id`, with the reactions on it. Throws 403 without the right, 412. */
export function deleteNote(
  context: Context,
  caller: SignedInCaller,
  target: NoteTarget,
  note: NoteRecord,
  unmodifiedSince: DateTime | undefined,
): void {
  requireAuthor(context, caller, target, note);
  requireUnmodified(note, unmodifiedSince);
  context.store.transact((tx) => removeNote(tx, context, caller, note));
}

function removeNote(tx: Transaction, context: Context, caller: SignedInCaller, note: NoteRecord): void {
  removeAllDependents(tx, context, { type: "Note", id: note.id });
  removeEmptied(tx, context, note);
  publish(tx, context, noteEvents.deleted, { caller, before: note, after: undefined });
}

/** Removes notes with their reactions, at most `limit` documents. Returns how many; fewer than `limit` are the last ones. */
export function removeNotes(tx: Transaction, context: Context, ids: Iterable<number>, limit: number): number {
  const { store } = context;
  let removed = 0;
  for (const id of firstOf(ids, limit)) {
    removed += removeDependents(tx, store, { type: "Note", id }, limit - removed);
    if (removed >= limit) return removed;
    removeEmptied(tx, context, store.of(notes).get(id) as NoteRecord);
    removed += 1;
  }
  return removed;
}

function removeEmptied(
  tx: Transaction,
  context: Context,
  { id, noteable_type, noteable_id, system }: NoteRecord,
): void {
  tx.remove(notes, id);
  const noteable = context.get(Noteables).of(noteable_type);
  const thing = noteable?.find(context.store, noteable_id);
  if (thing !== undefined && !system) noteable?.countNotes?.(tx, thing, -1);
}

/** The author, maintainers and administrators change a note; what the system said stays. */
function requireAuthor(
  context: Context,
  caller: SignedInCaller,
  target: NoteTarget,
  { author_id, system }: NoteRecord,
): void {
  const { user } = caller;
  requireOpenDiscussion(context, caller, target);
  const mayChange =
    author_id === user.id || context.get(Access).levelInProject(user, target.project) >= accessLevels.maintainer;
  if (system || !mayChange) throw forbidden();
}

/** The discussion of a locked thing is for members of the project; nobody writes in an archived one. */
function requireOpenDiscussion(
  context: Context,
  { user }: SignedInCaller,
  { noteable, project, thing }: NoteTarget,
): void {
  requireUnarchived({ project });
  if (noteable.isLocked(thing) && context.get(Access).levelInProject(user, project) < accessLevels.guest)
    throw forbidden();
}

function validateBody(body: string): void {
  if (body.trim() === "") throw invalidNote("note", "can't be blank");
  if (exceedsLength(body, bodyMax)) throw invalidNote("note", `is too long (maximum is ${bodyMax} characters)`);
}

/** 400 in the words of the API, which prints its errors of notes as a text. */
function invalidNote(field: "note" | "confidential", problem: string): Failure {
  return invalid(`400 Bad request - Note {:${field}=>["${problem}"]}`);
}
