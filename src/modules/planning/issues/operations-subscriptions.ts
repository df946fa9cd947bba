import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import { mapPage } from "../../../domain/page.ts";
import { integer, optional } from "../../../domain/parameters.ts";
import { inProject } from "../../core/access/index.ts";
import { BasicUser, presentBasicUser } from "../../core/users/index.ts";
import { users } from "../../core/users/records.ts";
import { created, ok, operation, pageOf } from "../../kernel/operation.ts";
import { moveIssue } from "./changes/service-move.ts";
import { reorderIssue } from "./changes/service-reorder.ts";
import { canReadInternalNotes } from "./policy.ts";
import { presentIssue } from "./present.ts";
import { Issue } from "./schema.ts";
import { IssueInPath } from "./schema-parameters.ts";
import { getReadableIssue } from "./service-find.ts";
import { participantsOf, updateSubscription } from "./service-subscriptions.ts";

/** issues-labels-milestones-epics 1.2: what is around one issue. */
export const subscriptionOperations = [
  operation({
    method: "POST",
    path: "/projects/:id/issues/:issue_iid/move",
    summary: "Move an issue to another project",
    who: inProject(accessLevels.none),
    params: Type.Object({ ...IssueInPath.properties, to_project_id: integer() }),
    answer: created(Issue),
    failures: ["invalid"],
    handle(call) {
      const { context, caller, project, params } = call;
      const issue = getReadableIssue(context, caller, project, params.issue_iid);
      return presentIssue(moveIssue(context, caller, project, issue, params.to_project_id), call);
    },
  }),

  operation({
    method: "PUT",
    path: "/projects/:id/issues/:issue_iid/reorder",
    summary: "Move an issue between others in their order",
    who: inProject(accessLevels.none),
    params: Type.Object({
      ...IssueInPath.properties,
      move_after_id: optional(integer({ description: "id of the issue to come after" })),
      move_before_id: optional(integer({ description: "id of the issue to come before" })),
    }),
    answer: ok(Issue),
    failures: ["forbidden", "unprocessable"],
    handle(call) {
      const { context, caller, project, params } = call;
      const issue = getReadableIssue(context, caller, project, params.issue_iid);
      return presentIssue(reorderIssue(context, caller, project, issue, params), call);
    },
  }),

  ...(
    [
      ["subscribe", "Subscribe to an issue", true],
      ["unsubscribe", "Unsubscribe from an issue", false],
    ] as const
  ).map(([name, summary, isWanted]) =>
    operation({
      method: "POST",
      path: `/projects/:id/issues/:issue_iid/${name}`,
      summary,
      who: inProject(accessLevels.none),
      params: IssueInPath,
      answer: created(Issue),
      failures: ["unchanged"],
      handle(call) {
        const { context, caller, project, params } = call;
        const issue = getReadableIssue(context, caller, project, params.issue_iid);
        updateSubscription(context, caller, issue, isWanted);
        return presentIssue(issue, call);
      },
    }),
  ),

  operation({
    method: "GET",
    path: "/projects/:id/issues/:issue_iid/participants",
    summary: "List the participants of an issue",
    who: inProject(accessLevels.none, { anonymous: true }),
    params: IssueInPath,
    answer: pageOf(BasicUser),
    handle(call) {
      const { context, caller, project, params, page } = call;
      const issue = getReadableIssue(context, caller, project, params.issue_iid);
      const withInternal = canReadInternalNotes(context, caller.user, project);
      const where = [{ ids: participantsOf(context.store, issue, ({ internal }) => withInternal || !internal) }];
      const found = context.store.page(users, { where, order: "id", descending: false, page });
      return mapPage(found, (user) => presentBasicUser(user, call));
    },
  }),

  ...(["related_merge_requests", "closed_by"] as const).map((name) =>
    operation({
      method: "GET",
      path: `/projects/:id/issues/:issue_iid/${name}`,
      summary:
        name === "closed_by"
          ? "List the merge requests that close an issue"
          : "List the merge requests related to an issue",
      who: inProject(accessLevels.none, { anonymous: true }),
      params: IssueInPath,
      answer: pageOf(Type.Object({})),
      handle({ context, caller, project, params }) {
        getReadableIssue(context, caller, project, params.issue_iid);
        return { items: [], total: 0, hasNext: false, next: undefined };
      },
    }),
  ),
];
