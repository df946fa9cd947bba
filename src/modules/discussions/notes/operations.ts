import { accessLevels } from "../../../domain/access-level.ts";
import { mapPage } from "../../../domain/page.ts";
import { inProject } from "../../core/access/index.ts";
import {
  accepted,
  created,
  noContent,
  ok,
  oneOfResponses,
  operation,
  pageOf,
  type ResponseVariant,
} from "../../kernel/operation.ts";
import type { View } from "../../kernel/view.ts";
import { getReadableIssue } from "../../planning/issues/index.ts";
import type { IssueRecord } from "../../planning/issues/records.ts";
import { presentNote, presentQuickActions } from "./present.ts";
import { CreateNote, ListNotes, Note, NoteInPath, QuickActionResult, UpdateNote } from "./schema.ts";
import { createNote, deleteNote, listNotes, updateNote, type WrittenNote } from "./service.ts";
import { getNote } from "./service-find.ts";

/** issues-labels-milestones-epics 5. */
export const noteOperations = [
  operation({
    method: "GET",
    path: "/projects/:id/issues/:issue_iid/notes",
    summary: "List notes on an issue",
    who: inProject(accessLevels.none, { anonymous: true }),
    params: ListNotes,
    answer: pageOf(Note),
    handle(call) {
      const { context, caller, project, params, page } = call;
      const issue = getReadableIssue(context, caller, project, params.issue_iid);
      const found = listNotes(context, caller, { project, issue }, params, page);
      return mapPage(found, (note) => presentNote(note, call, { issue }));
    },
  }),

  operation({
    method: "GET",
    path: "/projects/:id/issues/:issue_iid/notes/:note_id",
    summary: "Get a note on an issue",
    who: inProject(accessLevels.none, { anonymous: true }),
    params: NoteInPath,
    answer: ok(Note),
    handle(call) {
      const { context, caller, project, params } = call;
      const issue = getReadableIssue(context, caller, project, params.issue_iid);
      return presentNote(getNote(context, caller, project, issue, params.note_id), call, { issue });
    },
  }),

  operation({
    method: "POST",
    path: "/projects/:id/issues/:issue_iid/notes",
    summary: "Create a note on an issue",
    who: inProject(accessLevels.none),
    params: CreateNote,
    answer: oneOfResponses({ answer: created(Note) }, { answer: accepted(QuickActionResult) }),
    failures: ["forbidden", "invalid"],
    handle(call) {
      const { context, caller, project, params } = call;
      const issue = getReadableIssue(context, caller, project, params.issue_iid);
      return answerWritten("created", createNote(context, caller, { project, issue }, params), call, issue);
    },
  }),

  operation({
    method: "PUT",
    path: "/projects/:id/issues/:issue_iid/notes/:note_id",
    summary: "Update a note on an issue",
    who: inProject(accessLevels.none),
    params: UpdateNote,
    answer: oneOfResponses({ answer: ok(Note) }, { answer: accepted(QuickActionResult) }),
    failures: ["forbidden", "invalid"],
    handle(call) {
      const { context, caller, project, params } = call;
      const issue = getReadableIssue(context, caller, project, params.issue_iid);
      const note = getNote(context, caller, project, issue, params.note_id);
      return answerWritten("ok", updateNote(context, caller, { project, issue }, note, params.body), call, issue);
    },
  }),

  operation({
    method: "DELETE",
    path: "/projects/:id/issues/:issue_iid/notes/:note_id",
    summary: "Delete a note on an issue",
    who: inProject(accessLevels.none),
    params: NoteInPath,
    answer: noContent(),
    failures: ["forbidden", "precondition"],
    handle({ context, caller, project, params, unmodifiedSince }) {
      const issue = getReadableIssue(context, caller, project, params.issue_iid);
      const note = getNote(context, caller, project, issue, params.note_id);
      deleteNote(context, caller, { project, issue }, note, unmodifiedSince);
    },
  }),
];

/** The note, or 202 with what quick actions changed where there is none. */
function answerWritten(
  kind: "ok" | "created",
  { note, updates, messages }: WrittenNote,
  view: View,
  issue: IssueRecord,
): ResponseVariant {
  if (note === undefined) return { kind: "accepted", body: presentQuickActions(updates, view, { messages }) };
  return { kind, body: presentNote(note, view, { issue, updates }) };
}
