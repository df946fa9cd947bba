import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import { unauthenticated } from "../../../domain/failure.ts";
import { mapPage, type Page } from "../../../domain/page.ts";
import { inGroup, inProject } from "../../core/access/index.ts";
import { operation, pageOf } from "../../kernel/operation.ts";
import type { View } from "../../kernel/view.ts";
import {
  ListGroupMergeRequests,
  ListMergeRequests,
  ListProjectMergeRequests,
  listMergeRequests,
  listRules,
} from "./lists/index.ts";
import { requireReader } from "./policy.ts";
import { type ListedOptions, presentListedMergeRequest, presentSimpleMergeRequest } from "./present.ts";
import type { MergeRequestRecord } from "./records.ts";
import { ListedMergeRequest, SimpleMergeRequest } from "./schema.ts";

const Entry = Type.Union([ListedMergeRequest, SimpleMergeRequest]);

/** merge-requests 2. */
export const listOperations = [
  operation({
    method: "GET",
    path: "/merge_requests",
    summary: "List merge requests",
    who: "anyone",
    params: ListMergeRequests,
    rules: listRules,
    answer: pageOf(Entry),
    failures: ["unauthenticated"],
    handle(call) {
      const { context, caller, params, page } = call;
      if (caller.user === undefined && params.scope !== "all") throw unauthenticated();
      const wanted = { ...params, scope: params.scope ?? "created_by_me" };
      const found = listMergeRequests(context, caller, wanted, "everywhere", page);
      return present(found, call, params, "everywhere");
    },
  }),

  operation({
    method: "GET",
    path: "/groups/:id/merge_requests",
    summary: "List the merge requests of a group",
    who: inGroup(accessLevels.none, { anonymous: true }),
    params: ListGroupMergeRequests,
    rules: listRules,
    answer: pageOf(Entry),
    handle(call) {
      const { context, caller, group, params, page } = call;
      const wanted = { ...params, non_archived: params.non_archived ?? true };
      return present(listMergeRequests(context, caller, wanted, { group }, page), call, params, group);
    },
  }),

  operation({
    method: "GET",
    path: "/projects/:id/merge_requests",
    summary: "List the merge requests of a project",
    who: inProject(accessLevels.none, { anonymous: true }),
    params: ListProjectMergeRequests,
    rules: listRules,
    answer: pageOf(Entry),
    failures: ["forbidden"],
    handle(call) {
      const { context, caller, project, params, page } = call;
      requireReader(context, caller, project);
      return present(listMergeRequests(context, caller, params, { project }, page), call, params, undefined);
    },
  }),
];

/** The parameters that say what an entry looks like. */
interface Shown {
  readonly view?: "simple" | undefined;
  readonly with_labels_details?: boolean | undefined;
}

function present(
  found: Page<MergeRequestRecord>,
  call: View,
  { view, with_labels_details: withLabelsDetails }: Shown,
  relativeTo: ListedOptions["relativeTo"],
) {
  if (view === "simple") return mapPage(found, (each) => presentSimpleMergeRequest(each, call));
  return mapPage(found, (each) => presentListedMergeRequest(each, call, { withLabelsDetails, relativeTo }));
}
