import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import { notFound } from "../../../domain/failure.ts";
import { idInPath } from "../../../domain/parameters.ts";
import { inProject } from "../../core/access/index.ts";
import { created, noContent, ok, operation } from "../../kernel/operation.ts";
import { ReadableIssues } from "../readable-issues/index.ts";
import { createIssue } from "./changes/service-create.ts";
import { updateIssue } from "./changes/service-update.ts";
import { presentIssue } from "./present.ts";
import { issues } from "./records.ts";
import { deleteIssue } from "./removal/service-removal.ts";
import { Issue } from "./schema.ts";
import { CreateIssue, IssueInPath, UpdateIssue, updateRules } from "./schema-parameters.ts";
import { getReadableIssue } from "./service-find.ts";

/** issues-labels-milestones-epics 1.2: one issue. */
export const singleOperations = [
  operation({
    method: "POST",
    path: "/projects/:id/issues",
    summary: "Create an issue",
    who: inProject(accessLevels.none),
    params: CreateIssue,
    answer: created(Issue),
    failures: ["forbidden", "invalid", "conflict", "captcha"],
    async handle(call) {
      const { context, caller, project, params } = call;
      return presentIssue(await createIssue(context, caller, project, params), call);
    },
  }),

  operation({
    method: "GET",
    path: "/issues/:id",
    summary: "Get an issue by id",
    who: "administrator",
    params: Type.Object({ id: idInPath("id of the issue, not its iid") }),
    answer: ok(Issue),
    handle(call) {
      const { context, caller, params } = call;
      const issue = context.store.of(issues).get(params.id);
      if (issue === undefined || !context.get(ReadableIssues).has(caller.user, issue)) throw notFound("Issue");
      return presentIssue(issue, call);
    },
  }),

  operation({
    method: "GET",
    path: "/projects/:id/issues/:issue_iid",
    summary: "Get an issue",
    who: inProject(accessLevels.none, { anonymous: true }),
    params: IssueInPath,
    answer: ok(Issue),
    handle(call) {
      const { context, caller, project, params } = call;
      return presentIssue(getReadableIssue(context, caller, project, params.issue_iid), call);
    },
  }),

  operation({
    method: "PUT",
    path: "/projects/:id/issues/:issue_iid",
    summary: "Update an issue",
    who: inProject(accessLevels.none),
    params: UpdateIssue,
    rules: updateRules,
    answer: ok(Issue),
    failures: ["forbidden", "invalid", "captcha"],
    async handle(call) {
      const { context, caller, project, params } = call;
      return presentIssue(await updateIssue(context, caller, project, params), call);
    },
  }),

  operation({
    method: "DELETE",
    path: "/projects/:id/issues/:issue_iid",
    summary: "Delete an issue",
    who: inProject(accessLevels.none),
    params: IssueInPath,
    answer: noContent(),
    failures: ["forbidden"],
    handle({ context, caller, project, params, unmodifiedSince }) {
      const issue = getReadableIssue(context, caller, project, params.issue_iid);
      deleteIssue(context, caller, project, issue, unmodifiedSince);
    },
  }),
];
