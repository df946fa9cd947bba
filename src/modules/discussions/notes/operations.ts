import { accessLevels } from "../../../domain/access-level.ts";
import { mapPage } from "../../../domain/page.ts";
import { inProject } from "../../core/access/index.ts";
import { created, noContent, ok, operation, pageOf } from "../../kernel/operation.ts";
import { getReadableIssue } from "../../planning/issues/index.ts";
import { presentNote } from "./present.ts";
import { CreateNote, ListNotes, Note, NoteInPath, UpdateNote } from "./schema.ts";
import { createNote, deleteNote, listNotes, updateNote } from "./service.ts";
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
    answer: created(Note),
    failures: ["forbidden", "invalid"],
    handle(call) {
      const { context, caller, project, params } = call;
      const issue = getReadableIssue(context, caller, project, params.issue_iid);
      return presentNote(createNote(context, caller, { project, issue }, params), call, { issue });
    },
  }),

  operation({
    method: "PUT",
    path: "/projects/:id/issues/:issue_iid/notes/:note_id",
    summary: "Update a note on an issue",
    who: inProject(accessLevels.none),
    params: UpdateNote,
    answer: ok(Note),
    failures: ["forbidden", "invalid"],
    handle(call) {
      const { context, caller, project, params } = call;
      const issue = getReadableIssue(context, caller, project, params.issue_iid);
      const note = getNote(context, caller, project, issue, params.note_id);
      const after = updateNote(context, caller, { project, issue }, note, params.body);
      return presentNote(after, call, { issue });
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
