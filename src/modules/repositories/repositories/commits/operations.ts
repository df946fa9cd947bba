import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../../domain/access-level.ts";
import { boolean, oneOf, optional } from "../../../../domain/parameters.ts";
import { inProject } from "../../../core/access/index.ts";
import { ok, operation, pageOf } from "../../../kernel/operation.ts";
import { presentSignature } from "./present.ts";
import { CommitInPath, CommitRef, CommitSequence, CommitSignature } from "./schema.ts";
import { countHistory, getSignedCommit, listRefsWith } from "./service-read.ts";

const path = "/projects/:id/repository/commits/:sha";
const whoeverReads = inProject(accessLevels.none, { anonymous: true });

/** commits 5. */
export const commitOperations = [
  operation({
    method: "GET",
    path: `${path}/refs`,
    summary: "List the branches and tags that have a commit",
    who: whoeverReads,
    params: Type.Object({
      ...CommitInPath,
      type: optional(oneOf(["branch", "tag", "all"], { description: "all by default" })),
    }),
    answer: pageOf(CommitRef, { isOutsideStore: true }),
    failures: ["forbidden", "too_large"],
    handle({ context, caller, project, params, page }) {
      const { sha, type = "all" } = params;
      return listRefsWith(context, caller, project, { sha, type }, page);
    },
  }),

  operation({
    method: "GET",
    path: `${path}/sequence`,
    summary: "Count the commits in the history of a commit",
    who: whoeverReads,
    params: Type.Object({
      ...CommitInPath,
      first_parent: optional(boolean({ description: "follow only the first parent of each commit" })),
    }),
    answer: ok(CommitSequence),
    failures: ["forbidden", "too_large"],
    async handle({ context, caller, project, params }) {
      const { sha, first_parent: firstParentOnly = false } = params;
      return { count: await countHistory(context, caller, project, { sha, firstParentOnly }) };
    },
  }),

  operation({
    method: "GET",
    path: `${path}/signature`,
    summary: "Get the signature of a commit",
    who: whoeverReads,
    params: Type.Object(CommitInPath),
    answer: ok(CommitSignature),
    failures: ["forbidden", "too_large"],
    async handle({ context, caller, project, params }) {
      return presentSignature(await getSignedCommit(context, caller, project, params.sha));
    },
  }),
];
