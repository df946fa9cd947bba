import type { SignedInCaller } from "../../../domain/caller.ts";
import { type SubjectRef, subjectKey } from "../../../domain/subject.ts";
import type { DateTime } from "../../../lib/datetime.ts";
import type { Transaction } from "../../../store/index.ts";
import { projectPathOf } from "../../core/namespaces/index.ts";
import { type ProjectRecord, projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import type { PromotedIssue } from "../../planning/epics/index.ts";
import {
  type IssueDuplicate,
  type IssueSaved,
  issueReferenceFrom,
  issuesNamedIn,
  projectReferenceFrom,
} from "../../planning/issues/index.ts";
import type { IssueRecord } from "../../planning/issues/records.ts";
import { ReadableIssues } from "../../planning/readable-issues/index.ts";
import { Noteables, type NoteTarget } from "../noteables/index.ts";
import type { NoteSaved } from "../notes/index.ts";
import { notes } from "../notes/records.ts";
import { textsOfChange } from "./change-texts.ts";
import { nounOf } from "./texts.ts";

/** A note that the server writes about a change. */
interface SystemNote {
  readonly subject: SubjectRef;
  readonly author_id: number;
  readonly body: string;
  readonly created_at: DateTime;
  /** The other thing that the text names. */
  readonly named?: SubjectRef;
}

/** Writes a system note in the transaction of the change that it reports. */
export function insertSystemNote(tx: Transaction, { subject, created_at, ...rest }: SystemNote): void {
  tx.insert(notes, {
    id: tx.nextId("notes"),
    noteable_type: subject.type,
    noteable_id: subject.id,
    ...rest,
    system: true,
    internal: false,
    created_at,
    updated_at: created_at,
  });
}

/** Notes what changed on an issue, and on others that its new texts name. */
export function recordIssueSave(tx: Transaction, context: Context, change: IssueSaved): void {
  const { caller, before, after, spent, movedFrom } = change;
  if (movedFrom !== undefined) {
    recordIssueMove(tx, context, caller, movedFrom, after);
    return;
  }
  const { store, clock } = context;
  const noun = nounOf(after.issue_type);
  for (const body of textsOfChange(store, { noun, before, after, spent }, clock.now())) {
    insertSystemNote(tx, {
      subject: { type: "Issue", id: after.id },
      author_id: caller.user.id,
      body,
      created_at: after.updated_at,
    });
  }
  const isRewritten = before?.title !== after.title || before?.description !== after.description;
  const target = isRewritten ? context.get(Noteables).findTarget({ type: "Issue", id: after.id }) : undefined;
  if (target !== undefined) recordMentions(tx, context, caller, target, [after.title, after.description]);
}

/** Notes on other issues that a comment names them; internal comments are for few, so they leave no trace elsewhere. */
export function recordMentionsOfNote(tx: Transaction, context: Context, { caller, after: note }: NoteSaved): void {
  if (note.internal) return;
  const target = context.get(Noteables).findTarget({ type: note.noteable_type, id: note.noteable_id });
  if (target !== undefined) recordMentions(tx, context, caller, target, [note.body]);
}

/** Notes on both issues where the other one is. */
function recordIssueMove(
  tx: Transaction,
  { store }: Context,
  caller: SignedInCaller,
  from: IssueRecord,
  to: IssueRecord,
): void {
  const noteOn = (issue: IssueRecord, other: IssueRecord, direction: "to" | "from") =>
    insertSystemNote(tx, {
      subject: { type: "Issue", id: issue.id },
      author_id: caller.user.id,
      body: `moved ${direction} ${issueReferenceFrom(store, other, getProjectOf(store, issue))}`,
      created_at: issue.updated_at,
      named: { type: "Issue", id: other.id },
    });
  noteOn(from, to, "to");
  noteOn(to, from, "from");
}

/** Notes on the issue and on the epic where the other one is. */
export function recordIssuePromotion(
  tx: Transaction,
  { store }: Context,
  { caller, issue, epic }: PromotedIssue,
): void {
  const written = { author_id: caller.user.id, created_at: epic.created_at };
  insertSystemNote(tx, {
    ...written,
    subject: { type: "Issue", id: issue.id },
    body: `promoted to epic &${epic.iid}`,
  });
  insertSystemNote(tx, {
    ...written,
    subject: { type: "Epic", id: epic.id },
    body: `promoted from issue ${projectPathOf(store, getProjectOf(store, issue))}#${issue.iid}`,
    named: { type: "Issue", id: issue.id },
  });
}

export function recordIssueDuplicate(tx: Transaction, context: Context, change: IssueDuplicate): void {
  const { store } = context;
  const { caller, duplicate, original } = change;
  const noteOn = (issue: IssueRecord, other: IssueRecord, text: (reference: string) => string) =>
    insertSystemNote(tx, {
      subject: { type: "Issue", id: issue.id },
      author_id: caller.user.id,
      body: text(issueReferenceFrom(store, other, getProjectOf(store, issue))),
      created_at: duplicate.updated_at,
      named: { type: "Issue", id: other.id },
    });
  noteOn(duplicate, original, (reference) => `marked this issue as a duplicate of ${reference}`);
  noteOn(original, duplicate, (reference) => `marked ${reference} as a duplicate of this issue`);
}

/** Notes on issues that texts of another thing name, as far as the writer may read them; once for each pair. */
export function recordMentions(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  from: NoteTarget,
  texts: readonly (string | null)[],
): void {
  const { store } = context;
  const readable = context.get(ReadableIssues);
  const naming = { type: from.noteable.type, id: from.thing.id };
  for (const named of texts.flatMap((text) => issuesNamedIn(context, from.project, text))) {
    const subject = { type: "Issue", id: named.id };
    if (subjectKey(subject) === subjectKey(naming) || !readable.has(caller.user, named)) continue;
    const body = `mentioned in ${from.noteable.word} ${referenceFrom(store, from, getProjectOf(store, named))}`;
    if (hasNote(context, subject, naming, body)) continue;
    insertSystemNote(tx, {
      subject,
      author_id: caller.user.id,
      body,
      created_at: from.thing.updated_at,
      named: naming,
    });
  }
}

/** `!7`, with the path of the project in others: `van!7`. */
function referenceFrom(store: Context["store"], { noteable, project, thing }: NoteTarget, from: ProjectRecord): string {
  return `${projectReferenceFrom(store, project, from)}${noteable.referenceOf(thing)}`;
}

function hasNote({ store }: Context, subject: SubjectRef, named: SubjectRef, body: string): boolean {
  const documents = store.of(notes);
  return [...documents.by.naming.find(`${subjectKey(subject)} ${subjectKey(named)}`)].some(
    (id) => documents.get(id)?.body === body,
  );
}

function getProjectOf(store: Context["store"], { project_id }: IssueRecord): ProjectRecord {
  const project = store.of(projects).get(project_id);
  if (project === undefined) throw new Error(`the project ${project_id} of an issue does not exist`);
  return project;
}
