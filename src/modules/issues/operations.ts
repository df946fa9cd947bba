import { accessLevels } from "../../domain/access-level.ts";
import { created, inProject, ok, operation } from "../operation.ts";
import { createIssue } from "./create.ts";
import { getReadableIssue } from "./find.ts";
import { CreateIssue, IssueInPath } from "./parameters.ts";
import { presentIssue } from "./present.ts";
import { Issue } from "./schema.ts";

/** issues-labels-milestones-epics 1.2: one issue. */
export const singleOperations = [
  operation({
    method: "POST",
    path: "/projects/:id/issues",
    summary: "Create an issue",
    who: inProject(accessLevels.none),
    params: CreateIssue,
    answer: created(Issue),
    failures: ["forbidden", "invalid", "conflict"],
    handle({ context, caller, project, params, baseUrl }) {
      return presentIssue(context, caller, createIssue(context, caller, project, params), baseUrl);
    },
  }),

  operation({
    method: "GET",
    path: "/projects/:id/issues/:issue_iid",
    summary: "Get an issue",
    who: inProject(accessLevels.none, { anonymous: true }),
    params: IssueInPath,
    answer: ok(Issue),
    handle({ context, caller, project, params, baseUrl }) {
      return presentIssue(context, caller, getReadableIssue(context, caller, project, params.issue_iid), baseUrl);
    },
  }),
];
