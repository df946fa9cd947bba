import { accessLevels } from "../../../domain/access-level.ts";
import { inProject } from "../../core/access/index.ts";
import { ok, operation } from "../../kernel/operation.ts";
import { mergeMergeRequest } from "./merging/service-merge.ts";
import { presentMergeRequest } from "./present.ts";
import { MergeRequest } from "./schema.ts";
import { MergeMergeRequest } from "./schema-parameters.ts";

/** merge-requests 7. */
export const mergeOperations = [
  operation({
    method: "PUT",
    path: "/projects/:id/merge_requests/:merge_request_iid/merge",
    summary: "Merge a merge request",
    who: inProject(accessLevels.none),
    params: MergeMergeRequest,
    answer: ok(MergeRequest),
    failures: ["unauthenticated", "not_allowed", "conflict", "unprocessable", "too_large"],
    async handle(call) {
      const { context, caller, project, params, baseUrl, raw } = call;
      const merged = await mergeMergeRequest(context, caller, project, params, { baseUrl, gone: raw.gone });
      return presentMergeRequest(merged, call);
    },
  }),
];
