import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import { notFound } from "../../../domain/failure.ts";
import { mapPage } from "../../../domain/page.ts";
import { idInPath, projectId, text } from "../../../domain/parameters.ts";
import { inProject } from "../../core/access/index.ts";
import { created, noContent, type Operation, ok, operation, pageOf } from "../../kernel/operation.ts";
import { presentAward } from "./present.ts";
import { AwardEmoji } from "./schema.ts";
import { createAward, deleteAward, getAward, listAwards } from "./service.ts";
import { getAwardable } from "./service-awardables.ts";

const issueInPath = { id: projectId(), issue_iid: idInPath("iid of the issue") };
const noteInPath = { ...issueInPath, note_id: idInPath("note id") };
const snippetInPath = { id: projectId(), snippet_id: idInPath("snippet id") };

/** issues-labels-milestones-epics 4. */
export const awardOperations = [
  ...operationsOn("an issue", "/projects/:id/issues/:issue_iid/award_emoji", issueInPath),
  ...operationsOn("a note on an issue", "/projects/:id/issues/:issue_iid/notes/:note_id/award_emoji", noteInPath),
  ...operationsOn("a snippet of a project", "/projects/:id/snippets/:snippet_id/award_emoji", snippetInPath),
];

/** The four operations on the reactions to one kind of thing. */
function operationsOn(
  noun: string,
  path: string,
  declared: typeof issueInPath | typeof noteInPath | typeof snippetInPath,
): Operation[] {
  // `getAwardable` distinguishes them by the parameters in the path.
  const inPath = declared as typeof issueInPath;
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
        const { context, caller, project, params, page } = call;
        const found = listAwards(context, getAwardable(context, caller, project, params), page);
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
        const { context, caller, project, params } = call;
        const awardable = getAwardable(context, caller, project, params);
        return presentAward(getAward(context, awardable, params.award_id), call);
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
        const awardable = getAwardable(context, caller, project, params);
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
      handle({ context, caller, project, params, unmodifiedSince }) {
        const awardable = getAwardable(context, caller, project, params);
        deleteAward(context, caller, getAward(context, awardable, params.award_id), unmodifiedSince);
      },
    }),
  ];
}
