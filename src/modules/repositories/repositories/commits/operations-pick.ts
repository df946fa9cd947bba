import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../../domain/access-level.ts";
import { boolean, optional, text } from "../../../../domain/parameters.ts";
import type { Commit as PickedCommit } from "../../../../git/index.ts";
import { inProject } from "../../../core/access/index.ts";
import { projectPathOf } from "../../../core/namespaces/index.ts";
import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";
import { created, ok, oneOfResponses, operation, type ResponseVariant } from "../../../kernel/operation.ts";
import type { View } from "../../../kernel/view.ts";
import { presentCommit } from "../present.ts";
import { Commit, messageCharactersMax } from "../schema.ts";
import { CommitInPath, DryRun } from "./schema.ts";
import { createPick } from "./service-pick.ts";

const Target = {
  ...CommitInPath,
  branch: text({ allowBlank: false, description: "branch that the new commit is made on" }),
  dry_run: optional(boolean({ description: "only try it: nothing is written" })),
};
const answer = oneOfResponses({ answer: created(Commit) }, { answer: ok(DryRun) });
const path = "/projects/:id/repository/commits/:sha";

function answerTo(commit: PickedCommit | undefined, view: View, project: ProjectRecord): ResponseVariant {
  if (commit === undefined) return { kind: "ok", body: { dry_run: "success" } };
  const projectPath = projectPathOf(view.context.store, project);
  return { kind: "created", body: presentCommit(commit, view, { projectPath }) };
}

/** commits 8. */
export const pickOperations = [
  operation({
    method: "POST",
    path: `${path}/cherry_pick`,
    summary: "Apply the change of a commit to a branch",
    who: inProject(accessLevels.developer),
    params: Type.Object({
      ...Target,
      message: optional(
        text({ maxLength: messageCharactersMax, description: "that of the commit, with its id, without it" }),
      ),
    }),
    answer,
    failures: ["invalid", "no_room", "too_large"],
    async handle(call): Promise<ResponseVariant> {
      const { context, caller, project, params, baseUrl, raw } = call;
      const { sha, branch, message, dry_run: isDry = false } = params;
      const request = { kind: "cherry-pick", sha, branch, message, isDry } as const;
      return answerTo(await createPick(context, caller, project, request, { baseUrl, gone: raw.gone }), call, project);
    },
  }),

  operation({
    method: "POST",
    path: `${path}/revert`,
    summary: "Undo the change of a commit in a branch",
    who: inProject(accessLevels.developer),
    params: Type.Object(Target),
    answer,
    failures: ["invalid", "no_room", "too_large"],
    async handle(call): Promise<ResponseVariant> {
      const { context, caller, project, params, baseUrl, raw } = call;
      const { sha, branch, dry_run: isDry = false } = params;
      const request = { kind: "revert", sha, branch, isDry } as const;
      return answerTo(await createPick(context, caller, project, request, { baseUrl, gone: raw.gone }), call, project);
    },
  }),
];
