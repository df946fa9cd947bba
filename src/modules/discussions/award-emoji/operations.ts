import { type TProperties, Type } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import { notFound } from "../../../domain/failure.ts";
import { mapPage } from "../../../domain/page.ts";
import { idInPath, projectId, text } from "../../../domain/parameters.ts";
import type { SubjectRef } from "../../../domain/subject.ts";
import { inProject } from "../../core/access/index.ts";
import { created, noContent, type Operation, ok, operation, pageOf } from "../../kernel/operation.ts";
import {
  findNoteTarget,
  type Noteable,
  type NoteableCall,
  type NoteTarget,
  noteableIssue,
  noteableSnippet,
  nounOf,
} from "../noteables/index.ts";
import { getNote } from "../notes/index.ts";
import { presentAward } from "./present.ts";
import { AwardEmoji } from "./schema.ts";
import { createAward, deleteAward, getAward, listAwards } from "./service.ts";

/** issues-labels-milestones-epics 4. */
export const awardOperations = [
  ...operationsOnAwardsOf(noteableIssue),
  ...operationsOnNoteAwardsOf(noteableIssue),
  ...operationsOnAwardsOf(noteableSnippet),
  ...operationsOnNoteAwardsOf(noteableSnippet),
];

/** The operations on the reactions to one type of things. */
export function operationsOnAwardsOf(noteable: Noteable): Operation[] {
  const inPath = { id: projectId(), [noteable.parameter]: idInPath(noteable.parameterDescription) };
  return operationsOn(nounOf(noteable), noteable.path, inPath, (call) => {
    const { id } = getAwardedTarget(noteable, call).thing;
    return { type: noteable.type, id };
  });
}

/** The operations on the reactions to notes on one type of things. */
export function operationsOnNoteAwardsOf(noteable: Noteable): Operation[] {
  const inPath = {
    id: projectId(),
    [noteable.parameter]: idInPath(noteable.parameterDescription),
    note_id: idInPath("note id"),
  };
  return operationsOn(`a note on ${nounOf(noteable)}`, `${noteable.path}/notes/:note_id`, inPath, (call) => {
    const { note_id } = call.params as { readonly note_id: number };
    return { type: "Note", id: getNote(call.context, call.caller, getAwardedTarget(noteable, call), note_id).id };
  });
}

/** Throws 404 `Award Emoji Not Found` for a thing that is not there or hidden from the caller. */
function getAwardedTarget(noteable: Noteable, call: NoteableCall): NoteTarget {
  const target = findNoteTarget(noteable, call);
  if (target === undefined) throw notFound("Award Emoji");
  return target;
}

function operationsOn(
  noun: string,
  awardablePath: string,
  inPath: TProperties,
  getAwardable: (call: NoteableCall) => SubjectRef,
): Operation[] {
  const path = `${awardablePath}/award_emoji`;
  const Single = Type.Object({ ...inPath, award_id: idInPath("id of the reaction") });
  return [
    operation({
      method: "GET",
      path,
      summary: `List the emoji reactions of ${noun}`,
      who: inProject(accessLevels.none, { anonymous: true }),
      params: Type.Object(inPath),
      answer: pageOf(AwardEmoji),
      handle(call) {
        const { context, page } = call;
        const found = listAwards(context, getAwardable(call), page);
        return mapPage(found, (award) => presentAward(award, call));
      },
    }),

    operation({
      method: "GET",
      path: `${path}/:award_id`,
      summary: `Get an emoji reaction of ${noun}`,
      who: inProject(accessLevels.none, { anonymous: true }),
      params: Single,
      answer: ok(AwardEmoji),
      handle(call) {
        return presentAward(getAward(call.context, getAwardable(call), call.params.award_id), call);
      },
    }),

    operation({
      method: "POST",
      path,
      summary: `Add an emoji reaction to ${noun}`,
      who: inProject(accessLevels.none),
      params: Type.Object({ ...inPath, name: text({ description: "without colons, such as rocket" }) }),
      answer: created(AwardEmoji),
      handle(call) {
        const { context, caller, project, params } = call;
        const awardable = getAwardable(call);
        if (project.archived) throw notFound("Award Emoji");
        return presentAward(createAward(context, caller, awardable, params.name), call);
      },
    }),

    operation({
      method: "DELETE",
      path: `${path}/:award_id`,
      summary: `Delete an emoji reaction from ${noun}`,
      who: inProject(accessLevels.none),
      params: Single,
      answer: noContent(),
      failures: ["unauthenticated", "precondition"],
      handle(call) {
        const { context, caller, params, unmodifiedSince } = call;
        deleteAward(context, caller, getAward(context, getAwardable(call), params.award_id), unmodifiedSince);
      },
    }),
  ];
}
