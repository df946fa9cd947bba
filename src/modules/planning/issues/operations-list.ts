import { accessLevels } from "../../../domain/access-level.ts";
import { unauthenticated } from "../../../domain/failure.ts";
import { mapPage } from "../../../domain/page.ts";
import { inGroup, inProject } from "../../core/access/index.ts";
import { operation, pageOf } from "../../kernel/operation.ts";
import { issueFilterRules } from "./filters/index.ts";
import { ListGroupIssues, ListIssues, ListProjectIssues, listIssues } from "./lists/index.ts";
import { presentListedIssue } from "./present.ts";
import { ListedIssue } from "./schema.ts";

/** issues-labels-milestones-epics 1.2: the three lists. */
export const listOperations = [
  operation({
    method: "GET",
    path: "/issues",
    summary: "List issues",
    who: "anyone",
    params: ListIssues,
    rules: issueFilterRules,
    answer: pageOf(ListedIssue),
    failures: ["unauthenticated"],
    handle(call) {
      const { context, caller, params, page } = call;
      if (caller.user === undefined && params.scope !== "all") throw unauthenticated();
      const wanted = { ...params, scope: params.scope ?? "created_by_me", non_archived: params.non_archived ?? true };
      const view = { withLabelsDetails: params.with_labels_details, relativeTo: "everywhere" } as const;
      const found = listIssues(context, caller, wanted, "everywhere", page);
      return mapPage(found, (issue) => presentListedIssue(issue, call, view));
    },
  }),

  operation({
    method: "GET",
    path: "/groups/:id/issues",
    summary: "List the issues of a group",
    who: inGroup(accessLevels.none, { anonymous: true }),
    params: ListGroupIssues,
    rules: issueFilterRules,
    answer: pageOf(ListedIssue),
    handle(call) {
      const { context, caller, group, params, page } = call;
      const wanted = { ...params, non_archived: params.non_archived ?? true };
      const view = { withLabelsDetails: params.with_labels_details, relativeTo: group };
      const found = listIssues(context, caller, wanted, { group }, page);
      return mapPage(found, (issue) => presentListedIssue(issue, call, view));
    },
  }),

  operation({
    method: "GET",
    path: "/projects/:id/issues",
    summary: "List the issues of a project",
    who: inProject(accessLevels.none, { anonymous: true }),
    params: ListProjectIssues,
    rules: issueFilterRules,
    answer: pageOf(ListedIssue),
    handle(call) {
      const { context, caller, project, params, page } = call;
      const view = { withLabelsDetails: params.with_labels_details };
      const found = listIssues(context, caller, params, { project }, page);
      return mapPage(found, (issue) => presentListedIssue(issue, call, view));
    },
  }),
];
