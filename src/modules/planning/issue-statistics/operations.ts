import { accessLevels } from "../../../domain/access-level.ts";
import { inGroup, inProject } from "../../core/access/index.ts";
import { ok, operation } from "../../kernel/operation.ts";
import { issueFilterRules } from "../issues/index.ts";
import { presentIssueStatistics } from "./present.ts";
import { CountGroupIssues, CountIssues, CountProjectIssues, IssueStatistics } from "./schema.ts";
import { countIssues } from "./service.ts";

/** The page issue-statistics of the contract. */
export const issueStatisticsOperations = [
  operation({
    method: "GET",
    path: "/issues_statistics",
    summary: "Get issue statistics",
    who: "signed_in",
    params: CountIssues,
    rules: issueFilterRules,
    answer: ok(IssueStatistics),
    handle({ context, caller, params }) {
      const wanted = { ...params, scope: params.scope ?? "created_by_me" };
      return presentIssueStatistics(countIssues(context, caller, wanted, "everywhere"));
    },
  }),

  operation({
    method: "GET",
    path: "/groups/:id/issues_statistics",
    summary: "Get the issue statistics of a group",
    who: inGroup(accessLevels.none),
    params: CountGroupIssues,
    rules: issueFilterRules,
    answer: ok(IssueStatistics),
    handle({ context, caller, group, params }) {
      return presentIssueStatistics(countIssues(context, caller, params, { group }));
    },
  }),

  operation({
    method: "GET",
    path: "/projects/:id/issues_statistics",
    summary: "Get the issue statistics of a project",
    who: inProject(accessLevels.none),
    params: CountProjectIssues,
    rules: issueFilterRules,
    answer: ok(IssueStatistics),
    handle({ context, caller, project, params }) {
      return presentIssueStatistics(countIssues(context, caller, params, { project }));
    },
  }),
];
