import { accessLevels } from "../../../domain/access-level.ts";
import { inProject } from "../../core/access/index.ts";
import { created, ok, operation } from "../../kernel/operation.ts";
import { getReadableMergeRequest, MergeRequestInPath } from "../merge-requests/index.ts";
import { presentApprovals } from "./present.ts";
import { Approvals, Approve } from "./schema.ts";
import { approveMergeRequest, unapproveMergeRequest } from "./service.ts";

const one = "/projects/:id/merge_requests/:merge_request_iid";

/** merge-requests 11. */
export const approvalOperations = [
  operation({
    method: "GET",
    path: `${one}/approvals`,
    summary: "Get the approvals of a merge request",
    who: inProject(accessLevels.none, { anonymous: true }),
    params: MergeRequestInPath,
    answer: ok(Approvals),
    failures: ["forbidden"],
    handle(call) {
      const { context, caller, project, params } = call;
      const mergeRequest = getReadableMergeRequest(context, caller, project, params.merge_request_iid);
      return presentApprovals(mergeRequest, call, { project });
    },
  }),

  operation({
    method: "POST",
    path: `${one}/approve`,
    summary: "Approve a merge request",
    who: inProject(accessLevels.none),
    params: Approve,
    answer: created(Approvals),
    failures: ["forbidden", "conflict", "unauthenticated"],
    handle(call) {
      const { context, caller, project, params } = call;
      const mergeRequest = getReadableMergeRequest(context, caller, project, params.merge_request_iid);
      const approved = approveMergeRequest(context, caller, project, mergeRequest, params.sha);
      return presentApprovals(approved, call, { project });
    },
  }),

  operation({
    method: "POST",
    path: `${one}/unapprove`,
    summary: "Take back the approval of a merge request",
    who: inProject(accessLevels.none),
    params: MergeRequestInPath,
    answer: created(Approvals),
    failures: ["forbidden"],
    handle(call) {
      const { context, caller, project, params } = call;
      const mergeRequest = getReadableMergeRequest(context, caller, project, params.merge_request_iid);
      return presentApprovals(unapproveMergeRequest(context, caller, project, mergeRequest), call, { project });
    },
  }),
];
