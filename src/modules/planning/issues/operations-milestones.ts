import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import { mapPage } from "../../../domain/page.ts";
import { groupId, idInPath, projectId } from "../../../domain/parameters.ts";
import { inGroup, inProject } from "../../core/access/index.ts";
import type { Context } from "../../kernel/context.ts";
import { type Operation, operation, pageOf } from "../../kernel/operation.ts";
import { getMilestone } from "../milestones/index.ts";
import { carriersOf } from "../pending-unlinks/index.ts";
import { type IssueScope, readableConditions } from "./filters/index.ts";
import { pageOfIssues } from "./lists/index.ts";
import { presentListedIssue } from "./present.ts";
import { ListedIssue } from "./schema.ts";

/** The issues of a milestone (issues-labels-milestones-epics 3); there are no merge requests. */
function milestoneIssueOperationsIn(kind: "project" | "group"): Operation[] {
  const path = `/${kind}s/:id/milestones/:milestone_id`;
  const who = () => (kind === "project" ? inProject(accessLevels.none) : inGroup(accessLevels.none, { readers: true }));
  const params = Type.Object({
    id: kind === "project" ? projectId() : groupId(),
    milestone_id: idInPath("id, or iid where there is no such id"),
  });
  return [
    operation({
      method: "GET",
      path: `${path}/issues`,
      summary: `List the issues of a milestone of a ${kind}`,
      who: who(),
      params,
      answer: pageOf(ListedIssue),
      handle(call) {
        const {
          context,
          caller,
          params: { milestone_id },
          page,
          ...scope
        } = call;
        const { id } = milestoneIn(context, scope, milestone_id);
        const where = [
          ...readableConditions(context, caller.user, scope),
          carriersOf(context.store, "milestone", [id]),
        ];
        const view = "group" in scope ? { relativeTo: scope.group } : {};
        if (page.kind !== "offset") throw new Error("the issues of a milestone have offset pages");
        const found = pageOfIssues(context.store, {
          ...{ where, scope, page },
          orderBy: "label_priority",
          descending: false,
        });
        return mapPage(found, (issue) => presentListedIssue(issue, call, view));
      },
    }),

    operation({
      method: "GET",
      path: `${path}/merge_requests`,
      summary: `List the merge requests of a milestone of a ${kind}`,
      who: who(),
      params,
      answer: pageOf(Type.Unknown()),
      handle({ context, params: { milestone_id }, ...scope }) {
        milestoneIn(context, scope, milestone_id);
        return { items: [], total: 0, hasNext: false, next: undefined };
      },
    }),
  ];
}

export const milestoneIssueOperations: readonly Operation[] = [
  ...milestoneIssueOperationsIn("project"),
  ...milestoneIssueOperationsIn("group"),
];

function milestoneIn({ store }: Context, scope: Exclude<IssueScope, "everywhere">, idOrIid: number) {
  return "project" in scope
    ? getMilestone(store, { type: "project", id: scope.project.id }, idOrIid)
    : getMilestone(store, { type: "group", id: scope.group.id }, idOrIid);
}
