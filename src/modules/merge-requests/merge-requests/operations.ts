import { accessLevels } from "../../../domain/access-level.ts";
import { inProject } from "../../core/access/index.ts";
import { created, noContent, ok, operation } from "../../kernel/operation.ts";
import { createMergeRequest } from "./changes/service-create.ts";
import { updateMergeRequest } from "./changes/service-update.ts";
import { refreshMergeability } from "./mergeability.ts";
import { presentMergeRequest } from "./present.ts";
import { deleteMergeRequest } from "./removal/service-removal.ts";
import { MergeRequest } from "./schema.ts";
import {
  attributeRules,
  CreateMergeRequest,
  GetMergeRequest,
  MergeRequestInPath,
  UpdateMergeRequest,
  updateRules,
} from "./schema-parameters.ts";
import { countDivergedCommits } from "./service-commits.ts";
import { getFoundMergeRequest, getReadableMergeRequest } from "./service-find.ts";

/** merge-requests 4. */
export const singleOperations = [
  operation({
    method: "POST",
    path: "/projects/:id/merge_requests",
    summary: "Create a merge request",
    who: inProject(accessLevels.none),
    params: CreateMergeRequest,
    rules: attributeRules,
    answer: created(MergeRequest),
    failures: ["forbidden", "invalid", "conflict", "unprocessable", "too_large"],
    async handle(call) {
      const { context, caller, project, params, raw } = call;
      const made = await createMergeRequest(context, caller, project, params, raw.gone);
      return presentMergeRequest(await refreshMergeability(context, caller, project, made, raw.gone), call);
    },
  }),

  operation({
    method: "GET",
    path: "/projects/:id/merge_requests/:merge_request_iid",
    summary: "Get a merge request",
    who: inProject(accessLevels.none, { anonymous: true }),
    params: GetMergeRequest,
    answer: ok(MergeRequest),
    failures: ["forbidden"],
    async handle(call) {
      const { context, caller, project, params, raw } = call;
      const find = () => getReadableMergeRequest(context, caller, project, params.merge_request_iid);
      await refreshMergeability(context, caller, project, find(), raw.gone);
      const counts = params.include_diverged_commits_count === true;
      const divergedCommitsCount = counts ? await countDivergedCommits(context, caller, project, find()) : undefined;
      const mergeRequest = find();
      return presentMergeRequest(mergeRequest, call, {
        rendersHtml: params.render_html,
        isRead: true,
        divergedCommitsCount,
        saysRebase: params.include_rebase_in_progress,
      });
    },
  }),

  operation({
    method: "PUT",
    path: "/projects/:id/merge_requests/:merge_request_iid",
    summary: "Update a merge request",
    who: inProject(accessLevels.none),
    params: UpdateMergeRequest,
    rules: updateRules,
    answer: ok(MergeRequest),
    failures: ["forbidden", "invalid", "conflict", "unprocessable", "too_large"],
    async handle(call) {
      const { context, caller, project, params, raw } = call;
      const changed = await updateMergeRequest(context, caller, project, params, raw.gone);
      return presentMergeRequest(await refreshMergeability(context, caller, project, changed, raw.gone), call);
    },
  }),

  operation({
    method: "DELETE",
    path: "/projects/:id/merge_requests/:merge_request_iid",
    summary: "Delete a merge request",
    who: inProject(accessLevels.none),
    params: MergeRequestInPath,
    answer: noContent(),
    failures: ["forbidden", "precondition"],
    handle({ context, caller, project, params, unmodifiedSince }) {
      const mergeRequest = getFoundMergeRequest(context, caller, project, params.merge_request_iid);
      deleteMergeRequest(context, caller, project, mergeRequest, unmodifiedSince);
    },
  }),
];
