import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../../domain/access-level.ts";
import { mapPage, pageOfAll } from "../../../../domain/page.ts";
import { boolean, integer, optional, projectId, text } from "../../../../domain/parameters.ts";
import { inProject } from "../../../core/access/index.ts";
import { ok, operation, pageOf } from "../../../kernel/operation.ts";
import { presentComparison, presentDiff } from "./present.ts";
import { Comparison, Diff } from "./schema.ts";
import { getComparison, listCommitDiffs, requireSameProject } from "./service.ts";

const whoeverReads = inProject(accessLevels.none, { anonymous: true });
const unidiff = optional(boolean({ description: "name the file before its hunks, as patches do" }));

export const diffOperations = [
  operation({
    method: "GET",
    path: "/projects/:id/repository/commits/:sha/diff",
    summary: "List the files that a commit changes",
    who: whoeverReads,
    params: Type.Object({ id: projectId(), sha: text({ description: "commit, branch or tag" }), unidiff }),
    answer: pageOf(Diff, { isOutsideStore: true }),
    failures: ["forbidden", "too_large"],
    async handle(call) {
      const { context, caller, project, params, page, raw } = call;
      const all = await listCommitDiffs(context, caller, project, params.sha, raw.gone);
      const form = { isUnified: params.unidiff === true };
      // Limited paging (commits 1): what comes after the limits of a diff is not counted.
      return { ...mapPage(pageOfAll(all, page), (file) => presentDiff(file, call, form)), total: undefined };
    },
  }),

  operation({
    method: "GET",
    path: "/projects/:id/repository/compare",
    summary: "Compare two branches, tags or commits",
    who: whoeverReads,
    params: Type.Object({
      id: projectId(),
      from: text({ description: "commit, branch or tag to compare with" }),
      to: text({ description: "commit, branch or tag" }),
      straight: optional(boolean({ description: "compare with from itself, not with what both have in common" })),
      from_project_id: optional(integer({ description: "the project of from; there are no forks yet" })),
      unidiff,
    }),
    answer: ok(Comparison),
    failures: ["forbidden", "too_large", "invalid"],
    async handle(call) {
      const { context, caller, project, params, raw } = call;
      requireSameProject(project, params.from_project_id, params.id);
      const revisions = { from: params.from, to: params.to, isStraight: params.straight === true };
      const found = await getComparison(context, caller, project, revisions, raw.gone);
      return presentComparison(found, call, { project, isUnified: params.unidiff === true });
    },
  }),
];
