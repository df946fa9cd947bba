import { accessLevels } from "../../../domain/access-level.ts";
import { mapPage, pageOfAll } from "../../../domain/page.ts";
import { inProject } from "../../core/access/index.ts";
import { BasicUser, presentBasicUser } from "../../core/users/index.ts";
import { created, operation, pageOf } from "../../kernel/operation.ts";
import { operationsOnTimeOf } from "../../planning/time-tracking/index.ts";
import { writeMergeRequest } from "./changes/service-write.ts";
import { requireManager } from "./policy.ts";
import { presentMergeRequest, presentReviewer } from "./present.ts";
import type { MergeRequestRecord } from "./records.ts";
import { MergeRequest, Reviewer } from "./schema.ts";
import { MergeRequestInPath } from "./schema-parameters.ts";
import { getReadableMergeRequest } from "./service-find.ts";
import { listParticipants, updateSubscription } from "./service-subscriptions.ts";

const one = "/projects/:id/merge_requests/:merge_request_iid";

/** merge-requests 5 and 10: the people of a merge request, and the time that it takes them. */
export const subscriptionOperations = [
  operation({
    method: "GET",
    path: `${one}/participants`,
    summary: "List the participants of a merge request",
    who: inProject(accessLevels.none, { anonymous: true }),
    params: MergeRequestInPath,
    answer: pageOf(BasicUser),
    failures: ["forbidden"],
    handle(call) {
      const { context, caller, project, params, page } = call;
      const mergeRequest = getReadableMergeRequest(context, caller, project, params.merge_request_iid);
      const found = pageOfAll(listParticipants(context, mergeRequest), page);
      return mapPage(found, (user) => presentBasicUser(user, call));
    },
  }),

  operation({
    method: "GET",
    path: `${one}/reviewers`,
    summary: "List the reviewers of a merge request",
    who: inProject(accessLevels.none, { anonymous: true }),
    params: MergeRequestInPath,
    answer: pageOf(Reviewer),
    failures: ["forbidden"],
    handle(call) {
      const { context, caller, project, params, page } = call;
      const mergeRequest = getReadableMergeRequest(context, caller, project, params.merge_request_iid);
      const found = pageOfAll(mergeRequest.reviewer_ids, page);
      return mapPage(found, (userId) => presentReviewer(mergeRequest, call, { userId }));
    },
  }),

  ...(
    [
      ["subscribe", "Subscribe to a merge request", true],
      ["unsubscribe", "Unsubscribe from a merge request", false],
    ] as const
  ).map(([name, summary, isWanted]) =>
    operation({
      method: "POST",
      path: `${one}/${name}`,
      summary,
      who: inProject(accessLevels.none),
      params: MergeRequestInPath,
      answer: created(MergeRequest),
      failures: ["unchanged", "forbidden"],
      handle(call) {
        const { context, caller, project, params } = call;
        const mergeRequest = getReadableMergeRequest(context, caller, project, params.merge_request_iid);
        updateSubscription(context, caller, mergeRequest, isWanted);
        return presentMergeRequest(mergeRequest, call);
      },
    }),
  ),

  ...operationsOnTimeOf<MergeRequestRecord>({
    noun: "a merge request",
    path: one,
    inPath: MergeRequestInPath.properties,
    get(context, caller, project, params) {
      const { merge_request_iid } = params as { readonly merge_request_iid: number };
      return getReadableMergeRequest(context, caller, project, merge_request_iid);
    },
    requireTracker: requireManager,
    write: writeMergeRequest,
  }),
];
