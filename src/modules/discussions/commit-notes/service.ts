import { accessLevels } from "../../../domain/access-level.ts";
import type { Caller, SignedInCaller } from "../../../domain/caller.ts";
import { forbidden, invalid, notFound, requireUnmodified } from "../../../domain/failure.ts";
import type { Page, PageRequest } from "../../../domain/page.ts";
import { documentSteps, spend } from "../../../domain/work-budget.ts";
import type { Commit } from "../../../git/index.ts";
import { type DateTime, toDateTime } from "../../../lib/datetime.ts";
import { exceedsLength } from "../../../lib/text/text.ts";
import type { Transaction } from "../../../store/index.ts";
import { Access, canReadCode, getProject, requireUnarchived } from "../../core/access/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { insertRecord, removeRecord, updateRecord } from "../../kernel/record-events.ts";
import { firstOf } from "../../kernel/removal.ts";
import { type DiffLine, hasDiffLine, readRepository, resolveCommit } from "../../repositories/repositories/index.ts";
import { commitNoteEvents } from "./events.ts";
import { type CommitNoteRecord, commitKey, commitNotes } from "./records.ts";

const bodyMax = 1_000_000;

/** A commit whose notes are meant. */
export interface NotedCommit {
  readonly project: ProjectRecord;
  readonly commit: Commit;
}

/** Throws 403 for those who may not read the code; 404 `Commit Not Found`. */
export function getNotedCommit(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  sha: string,
): Promise<NotedCommit> {
  return readRepository(context, caller, project, async (repository) => ({
    project,
    commit: await resolveCommit(repository, sha),
  }));
}

/** `GET .../comments`, the oldest first. */
export function listCommitNotes(
  { store }: Context,
  { project, commit }: NotedCommit,
  page: PageRequest,
): Page<CommitNoteRecord> {
  const key = commitKey({ project_id: project.id, commit_id: commit.oid });
  return store.page(commitNotes, { where: [{ index: "commit", key }], order: "created_at", descending: false, page });
}

/** `GET .../discussions`: the notes of each, the oldest discussion first. */
export function listCommitDiscussions(
  context: Context,
  { project, commit }: NotedCommit,
  page: PageRequest,
): Page<readonly CommitNoteRecord[]> {
  const key = commitKey({ project_id: project.id, commit_id: commit.oid });
  const where = [{ index: "first" as const, key }];
  const found = context.store.page(commitNotes, { where, order: "created_at", descending: false, page });
  return { ...found, items: found.items.map(({ discussion_id }) => notesOf(context, discussion_id)) };
}

/** The notes of a discussion, the oldest first. Throws 404. */
export function getCommitDiscussion(
  context: Context,
  { project, commit }: NotedCommit,
  discussionId: string,
): readonly CommitNoteRecord[] {
  const notes = notesOf(context, discussionId);
  const [first] = notes;
  if (first?.project_id !== project.id || first.commit_id !== commit.oid) throw notFound("Discussion");
  return notes;
}

function notesOf({ store }: Context, discussionId: string): CommitNoteRecord[] {
  const documents = store.of(commitNotes);
  const ids = [...documents.by.discussion_id.find(discussionId)];
  spend(ids.length * documentSteps);
  return ids.map((id) => documents.get(id) as CommitNoteRecord).sort((one, other) => one.id - other.id);
}

/** Throws 404 `Note Not Found`. */
export function getCommitNote(
  context: Context,
  noted: NotedCommit,
  { discussionId, noteId }: { readonly discussionId: string; readonly noteId: number },
): CommitNoteRecord {
  const note = getCommitDiscussion(context, noted, discussionId).find(({ id }) => id === noteId);
  if (note === undefined) throw notFound("Note");
  return note;
}

/** A note that somebody writes. */
interface Written {
  readonly body: string;
  readonly createdAt?: DateTime | undefined;
  readonly isIndividual: boolean;
  readonly place?: DiffLine | undefined;
  /** The place where it answers others. */
  readonly discussionId?: string;
}

/** `POST .../comments`. A line that the commit's diff does not have is left out. Throws 400, 403 and 404. */
export async function createCommitComment(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  { sha, note, line }: { readonly sha: string; readonly note: string; readonly line: DiffLine | undefined },
  gone: AbortSignal,
): Promise<CommitNoteRecord> {
  requireUnarchived({ project });
  requireBody(note, (problem) => `Failed to save note {:note=>["${problem}"]}`);
  const noted = await getNotedCommit(context, caller, project, sha);
  const hasLine =
    line !== undefined && (await hasDiffLine(context, caller, project, { sha: noted.commit.oid, line }, gone));
  const written = { body: note, isIndividual: true, place: hasLine ? line : undefined };
  return insertNote(context, caller, noted, written);
}

/** `POST .../discussions`, and `.../notes` where a discussion is named. Throws 400, 403 and 404. */
export function createCommitNote(
  context: Context,
  caller: SignedInCaller,
  noted: NotedCommit,
  written: { readonly body: string; readonly createdAt: DateTime | undefined; readonly discussionId?: string },
): CommitNoteRecord {
  requireUnarchived(noted);
  requireBody(written.body, noteProblem);
  if (written.discussionId !== undefined) getCommitDiscussion(context, noted, written.discussionId);
  return insertNote(context, caller, noted, { ...written, isIndividual: false });
}

function insertNote(
  context: Context,
  caller: SignedInCaller,
  { project, commit }: NotedCommit,
  { body, createdAt, isIndividual, place, discussionId }: Written,
): CommitNoteRecord {
  const { store, clock } = context;
  return store.transact((tx) => {
    // The repository was waited for: the caller may have lost the right, and the project may be deleted.
    const now = getProject(context, caller, project.id);
    if (!canReadCode(context, caller.user, now)) throw forbidden();
    requireUnarchived({ project: now });
    const maySetTime = context.get(Access).levelInProject(caller.user, now) >= accessLevels.owner;
    const time = (maySetTime ? createdAt : undefined) ?? toDateTime(clock.now());
    const id = tx.nextId("notes");
    if (discussionId !== undefined) openDiscussion(tx, context, caller, discussionId);
    return insertRecord(tx, context, caller, commitNoteEvents, {
      id,
      project_id: now.id,
      commit_id: commit.oid,
      author_id: caller.user.id,
      body,
      discussion_id: discussionId ?? new Bun.CryptoHasher("sha1").update(`commit note ${id}`).digest("hex"),
      is_reply: discussionId !== undefined,
      is_individual: isIndividual,
      ...(place === undefined ? {} : { place }),
      created_at: time,
      updated_at: time,
    });
  });
}

/** A comment that is answered begins a discussion. */
function openDiscussion(tx: Transaction, context: Context, caller: SignedInCaller, discussionId: string): void {
  const [first] = notesOf(context, discussionId);
  if (first === undefined) throw notFound("Discussion");
  if (first.is_individual) updateRecord(tx, context, caller, commitNoteEvents, { ...first, is_individual: false });
}

/** `PUT .../notes/:note_id`. Throws 400 for a bad body, 403 without the right. */
export function updateCommitNote(
  context: Context,
  caller: SignedInCaller,
  { project }: NotedCommit,
  note: CommitNoteRecord,
  body: string,
): CommitNoteRecord {
  requireAuthor(context, caller, project, note);
  requireBody(body, noteProblem);
  if (note.body === body) return note;
  const changed = { ...note, body, updated_at: toDateTime(context.clock.now()) };
  return context.store.transact((tx) => updateRecord(tx, context, caller, commitNoteEvents, changed));
}

/** `DELETE .../notes/:note_id`. Throws 403 without the right, 412. */
export function deleteCommitNote(
  context: Context,
  caller: SignedInCaller,
  { project }: NotedCommit,
  note: CommitNoteRecord,
  unmodifiedSince: DateTime | undefined,
): void {
  requireAuthor(context, caller, project, note);
  requireUnmodified(note, unmodifiedSince);
  context.store.transact((tx) => {
    const next = findNextFirst(context, note);
    if (next !== undefined) updateRecord(tx, context, caller, commitNoteEvents, next);
    removeRecord(tx, context, caller, commitNoteEvents, note.id);
  });
}

/** Removes notes, at most `limit` documents. Returns how many; fewer than `limit` are the last ones. */
export function removeCommitNotes(tx: Transaction, context: Context, ids: Iterable<number>, limit: number): number {
  let removed = 0;
  for (const id of firstOf(ids, limit)) {
    const next = findNextFirst(context, context.store.of(commitNotes).get(id) as CommitNoteRecord);
    if (next !== undefined) tx.update(commitNotes, next);
    tx.remove(commitNotes, id);
    removed += 1;
  }
  return removed;
}

/** The note that begins a discussion when the first one goes. */
function findNextFirst(
  context: Context,
  { id, is_reply, discussion_id }: CommitNoteRecord,
): CommitNoteRecord | undefined {
  const next = is_reply ? undefined : notesOf(context, discussion_id).find((note) => note.id !== id);
  return next === undefined ? undefined : { ...next, is_reply: false };
}

/** The author, maintainers and administrators change a note; nobody does in an archived project. */
function requireAuthor(
  context: Context,
  { user }: SignedInCaller,
  project: ProjectRecord,
  { author_id }: CommitNoteRecord,
): void {
  requireUnarchived({ project });
  if (author_id === user.id) return;
  if (context.get(Access).levelInProject(user, project) < accessLevels.maintainer) throw forbidden();
}

const noteProblem = (problem: string) => `400 Bad request - Note {:note=>["${problem}"]}`;

/** Throws 400. */
function requireBody(body: string, textOf: (problem: string) => string): void {
  if (body.trim() === "") throw invalid(textOf("can't be blank"));
  if (exceedsLength(body, bodyMax)) throw invalid(textOf(`is too long (maximum is ${bodyMax} characters)`));
}
