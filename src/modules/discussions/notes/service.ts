import type { Static } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import type { Caller, SignedInCaller } from "../../../domain/caller.ts";
import { forbidden, invalid, requireUnmodified } from "../../../domain/failure.ts";
import type { Page, PageRequest } from "../../../domain/page.ts";
import { subjectKey } from "../../../domain/subject.ts";
import { type DateTime, toDateTime } from "../../../lib/datetime.ts";
import { exceedsLength } from "../../../lib/text/text.ts";
import type { Condition, Store, Transaction } from "../../../store/index.ts";
import { Access, requireUnarchived } from "../../core/access/index.ts";
import { removeAllDependents, removeDependents } from "../../core/dependents/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { publish } from "../../kernel/event.ts";
import { insertRecord, updateRecord } from "../../kernel/record-events.ts";
import { firstOf } from "../../kernel/removal.ts";
import { canReadInternalNotes, interpretIssueText, writeQuickActions } from "../../planning/issues/index.ts";
import { type IssueRecord, issues } from "../../planning/issues/records.ts";
import type { InterpretedText, QuickActionUpdates } from "../../planning/quick-actions/index.ts";
import { noteEvents } from "./events.ts";
import { type NoteRecord, notes } from "./records.ts";
import type { CreateNote, ListNotes } from "./schema.ts";
import { hiddenNotesOn } from "./service-find.ts";

const bodyMax = 1_000_000;

/** An issue that the caller reads, and the project that it is in. */
export interface NoteTarget {
  readonly project: ProjectRecord;
  readonly issue: IssueRecord;
}

/** `GET …/notes` (issues-labels-milestones-epics 5), the newest first unless said otherwise. */
export function listNotes(
  context: Context,
  { user }: Caller,
  { project, issue }: NoteTarget,
  { sort, order_by, activity_filter }: Static<typeof ListNotes>,
  page: PageRequest,
): Page<NoteRecord> {
  const key = subjectKey({ type: "Issue", id: issue.id });
  const where: Condition<typeof notes.indexes>[] = [{ index: "noteable", key }];
  if (activity_filter === "only_activity") where.push({ index: "system", key });
  if (activity_filter === "only_comments") where.push({ not: { index: "system", key } });
  if (!canReadInternalNotes(context, user, project)) where.push({ not: { index: "internal", key } });
  const hidden = hiddenNotesOn(context, user, { type: "Issue", id: issue.id });
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
 * `POST …/notes`. Throws 403 for an internal note of a user who could not read it, on a locked issue and in an archived project, 400 for a bad
 * body, and where no quick action of a body without text can be carried out.
 */
export function createNote(
  context: Context,
  caller: SignedInCaller,
  { project, issue }: NoteTarget,
  { body, created_at, ...params }: Static<typeof CreateNote>,
): WrittenNote {
  const internal = params.internal === true || params.confidential === true;
  requireOpenDiscussion(context, caller, { project, issue });
  if (internal && !canReadInternalNotes(context, caller.user, project)) throw forbidden();
  validateBody(body);
  const { text, updates, messages } = interpretBody(context, caller, { project, issue }, body);
  const { store, clock } = context;
  const isHeardOfTime = context.get(Access).levelInProject(caller.user, project) >= accessLevels.owner;
  const now = (isHeardOfTime ? created_at : undefined) ?? toDateTime(clock.now());
  return store.transact((tx) => {
    if (text === "") {
      writeQuickActions(tx, context, caller, issue, updates);
      return { note: undefined, updates, messages };
    }
    const counted = tx.update(issues, { ...issue, user_notes_count: issue.user_notes_count + 1 });
    const note = insertRecord(tx, context, caller, noteEvents, {
      id: tx.nextId("notes"),
      noteable_type: "Issue",
      noteable_id: issue.id,
      author_id: caller.user.id,
      body: text,
      system: false,
      internal,
      created_at: now,
      updated_at: now,
    });
    writeQuickActions(tx, context, caller, counted, updates);
    return { note, updates, messages };
  });
}

/**
 * `PUT …/notes/:note_id`; a body of quick actions alone deletes the note. Throws 403 without the right, 400 for a bad body.
 */
export function updateNote(
  context: Context,
  caller: SignedInCaller,
  place: NoteTarget,
  note: NoteRecord,
  body: string,
): WrittenNote {
  requireAuthor(context, caller, place, note);
  validateBody(body);
  const { text, updates, messages } = interpretBody(context, caller, place, body);
  if (note.body === text) return { note, updates: {}, messages };
  const { store, clock } = context;
  return store.transact((tx) => {
    const changed = { ...note, body: text, updated_at: toDateTime(clock.now()) };
    const after = text === "" ? undefined : updateRecord(tx, context, caller, noteEvents, changed);
    if (after === undefined) removeNote(tx, context, caller, note);
    writeQuickActions(tx, context, caller, store.of(issues).get(place.issue.id) ?? place.issue, updates);
    return { note: after, updates, messages };
  });
}

/** Throws 400 for a body without text of which no quick action says anything. */
function interpretBody(
  context: Context,
  caller: SignedInCaller,
  { project, issue }: NoteTarget,
  body: string,
): InterpretedText {
  const interpreted = interpretIssueText(context, caller, project, issue, body);
  if (interpreted.text === "" && interpreted.messages.length === 0) {
    throw invalid("400 Bad request - Failed to apply commands.");
  }
  return interpreted;
}

/** `DELETE …/notes/:note_id`, with the reactions on it. Throws 403 without the right, 412. */
export function deleteNote(
  context: Context,
  caller: SignedInCaller,
  place: NoteTarget,
  note: NoteRecord,
  unmodifiedSince: DateTime | undefined,
): void {
  requireAuthor(context, caller, place, note);
  requireUnmodified(note, unmodifiedSince);
  context.store.transact((tx) => removeNote(tx, context, caller, note));
}

function removeNote(tx: Transaction, context: Context, caller: SignedInCaller, note: NoteRecord): void {
  removeAllDependents(tx, context, { type: "Note", id: note.id });
  removeEmptied(tx, context.store, note);
  publish(tx, context, noteEvents.deleted, { caller, before: note, after: undefined });
}

/** Removes notes with their reactions, at most `limit` documents. Returns how many; fewer than `limit` are the last ones. */
export function removeNotes(tx: Transaction, store: Store, ids: Iterable<number>, limit: number): number {
  let removed = 0;
  for (const id of firstOf(ids, limit)) {
    removed += removeDependents(tx, store, { type: "Note", id }, limit - removed);
    if (removed >= limit) return removed;
    removeEmptied(tx, store, store.of(notes).get(id) as NoteRecord);
    removed += 1;
  }
  return removed;
}

function removeEmptied(tx: Transaction, store: Store, note: NoteRecord): void {
  tx.remove(notes, note.id);
  const issue = note.noteable_type === "Issue" ? store.of(issues).get(note.noteable_id) : undefined;
  if (issue === undefined || note.system) return;
  tx.update(issues, { ...issue, user_notes_count: issue.user_notes_count - 1 });
}

/** The author, maintainers and administrators change a note; what the system said stays. */
function requireAuthor(
  context: Context,
  caller: SignedInCaller,
  place: NoteTarget,
  { author_id, system }: NoteRecord,
): void {
  const { user } = caller;
  requireOpenDiscussion(context, caller, place);
  const mayChange =
    author_id === user.id || context.get(Access).levelInProject(user, place.project) >= accessLevels.maintainer;
  if (system || !mayChange) throw forbidden();
}

/** The discussion of a locked issue is for members of the project; nobody writes in an archived one. */
function requireOpenDiscussion(context: Context, { user }: SignedInCaller, { project, issue }: NoteTarget): void {
  requireUnarchived({ project });
  if (issue.discussion_locked === true && context.get(Access).levelInProject(user, project) < accessLevels.guest)
    throw forbidden();
}

function validateBody(body: string): void {
  if (body.trim() === "") throw invalid({ note: ["can't be blank"] });
  if (exceedsLength(body, bodyMax)) throw invalid({ note: [`is too long (maximum is ${bodyMax} characters)`] });
}
