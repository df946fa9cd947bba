import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import { mapPage } from "../../../domain/page.ts";
import { idInPath, projectId } from "../../../domain/parameters.ts";
import { inProject } from "../../core/access/index.ts";
import {
  accepted,
  created,
  noContent,
  type Operation,
  ok,
  oneOfResponses,
  operation,
  pageOf,
  type ResponseVariant,
} from "../../kernel/operation.ts";
import type { View } from "../../kernel/view.ts";
import {
  getNoteTarget,
  type Noteable,
  type NoteTarget,
  noteableIssue,
  noteableSnippet,
  nounOf,
} from "../noteables/index.ts";
import { presentNote, presentQuickActions } from "./present.ts";
import { Note, noteParameters, QuickActionResult } from "./schema.ts";
import { createNote, deleteNote, listNotes, updateNote, type WrittenNote } from "./service.ts";
import { getNote } from "./service-find.ts";

/** issues-labels-milestones-epics 5. */
export const noteOperations = [...operationsOnNotesOf(noteableIssue), ...operationsOnNotesOf(noteableSnippet)];

/** The operations on the notes of one type of things. */
export function operationsOnNotesOf(noteable: Noteable): Operation[] {
  const path = `${noteable.path}/notes`;
  const noun = nounOf(noteable);
  const inPath = { id: projectId(), [noteable.parameter]: idInPath(noteable.parameterDescription) };
  const Single = Type.Object({ ...inPath, note_id: idInPath("note id") });
  return [
    operation({
      method: "GET",
      path,
      summary: `List notes on ${noun}`,
      who: inProject(accessLevels.none, { anonymous: true }),
      params: Type.Object({ ...inPath, ...noteParameters.list }),
      answer: pageOf(Note),
      handle(call) {
        const { context, caller, params, page } = call;
        const target = getNoteTarget(noteable, call);
        return mapPage(listNotes(context, caller, target, params, page), (note) => presentNote(note, call, { target }));
      },
    }),

    operation({
      method: "GET",
      path: `${path}/:note_id`,
      summary: `Get a note on ${noun}`,
      who: inProject(accessLevels.none, { anonymous: true }),
      params: Single,
      answer: ok(Note),
      handle(call) {
        const target = getNoteTarget(noteable, call);
        return presentNote(getNote(call.context, call.caller, target, call.params.note_id), call, { target });
      },
    }),

    operation({
      method: "POST",
      path,
      summary: `Create a note on ${noun}`,
      who: inProject(accessLevels.none),
      params: Type.Object({ ...inPath, ...noteParameters.create }),
      answer: oneOfResponses({ answer: created(Note) }, { answer: accepted(QuickActionResult) }),
      failures: ["forbidden", "invalid"],
      handle(call) {
        const target = getNoteTarget(noteable, call);
        return answerWritten("created", createNote(call.context, call.caller, target, call.params), call, target);
      },
    }),

    operation({
      method: "PUT",
      path: `${path}/:note_id`,
      summary: `Update a note on ${noun}`,
      who: inProject(accessLevels.none),
      params: Type.Object({ ...Single.properties, ...noteParameters.update }),
      answer: oneOfResponses({ answer: ok(Note) }, { answer: accepted(QuickActionResult) }),
      failures: ["forbidden", "invalid"],
      handle(call) {
        const { context, caller, params } = call;
        const target = getNoteTarget(noteable, call);
        const note = getNote(context, caller, target, params.note_id);
        return answerWritten("ok", updateNote(context, caller, target, note, params.body), call, target);
      },
    }),

    operation({
      method: "DELETE",
      path: `${path}/:note_id`,
      summary: `Delete a note on ${noun}`,
      who: inProject(accessLevels.none),
      params: Single,
      answer: noContent(),
      failures: ["forbidden", "precondition"],
      handle(call) {
        const { context, caller, params, unmodifiedSince } = call;
        const target = getNoteTarget(noteable, call);
        deleteNote(context, caller, target, getNote(context, caller, target, params.note_id), unmodifiedSince);
      },
    }),
  ];
}

/** The note, or 202 with what quick actions changed where there is none. */
function answerWritten(
  kind: "ok" | "created",
  { note, updates, messages }: WrittenNote,
  view: View,
  target: NoteTarget,
): ResponseVariant {
  if (note === undefined) return { kind: "accepted", body: presentQuickActions(updates, view, { messages }) };
  return { kind, body: presentNote(note, view, { target, updates }) };
}
