import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../../domain/access-level.ts";
import { mapPage } from "../../../../domain/page.ts";
import { list, oneOf, optional, projectId, text } from "../../../../domain/parameters.ts";
import { inProject } from "../../../core/access/index.ts";
import { projectPathOf } from "../../../core/namespaces/index.ts";
import { ok, operation, pageOf } from "../../../kernel/operation.ts";
import { presentCommit } from "../present.ts";
import { Commit } from "../schema.ts";
import { presentContributor } from "./present.ts";
import { Contributor } from "./schema.ts";
import { getMergeBase, listContributors } from "./service.ts";

const whoeverReads = inProject(accessLevels.none, { anonymous: true });

/** commits 9. */
export const historyOperations = [
  operation({
    method: "GET",
    path: "/projects/:id/repository/merge_base",
    summary: "Get the newest commit that branches, tags or commits have in common",
    who: whoeverReads,
    params: Type.Object({
      id: projectId(),
      refs: list(text(), { split: true, maxItems: 100, description: "branches, tags or commits: at least two" }),
    }),
    answer: ok(Commit),
    failures: ["forbidden", "too_large", "invalid"],
    async handle(call) {
      const { context, caller, project, params } = call;
      const projectPath = projectPathOf(context.store, project);
      return presentCommit(await getMergeBase(context, caller, project, params.refs), call, { projectPath });
    },
  }),

  operation({
    method: "GET",
    path: "/projects/:id/repository/contributors",
    summary: "List the authors of the newest commits",
    who: whoeverReads,
    params: Type.Object({
      id: projectId(),
      ref: optional(text({ description: "branch, tag or commit; the default branch without it" })),
      order_by: optional(oneOf(["commits", "name", "email"], { description: "commits by default" })),
      sort: optional(oneOf(["asc", "desc"], { description: "asc by default" })),
    }),
    answer: pageOf(Contributor, { isOutsideStore: true }),
    failures: ["forbidden", "too_large"],
    async handle({ context, caller, project, params, page }) {
      const { ref, order_by: orderBy = "commits", sort = "asc" } = params;
      const found = await listContributors(context, caller, project, { ref, orderBy, sort }, page);
      return mapPage(found, presentContributor);
    },
  }),
];
