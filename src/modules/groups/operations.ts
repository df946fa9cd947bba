import { accessLevels } from "../../domain/access-level.ts";
import type { Caller } from "../../domain/caller.ts";
import { mapPage, type Page } from "../../domain/page.ts";
import type { Context } from "../context.ts";
import type { GroupRecord } from "../namespaces/index.ts";
import { created, inGroup, ok, operation, pageOf } from "../operation.ts";
import { createGroup } from "./create.ts";
import { listDescendantGroups, listGroups, listSubgroups } from "./list.ts";
import { CreateGroup, GetGroup, ListGroups, ListGroupsBelow } from "./parameters.ts";
import { presentGroup, presentGroupDetail } from "./present.ts";
import { Group, GroupDetail } from "./schema.ts";

export const groupOperations = [
  operation({
    method: "GET",
    path: "/groups",
    summary: "List groups",
    who: "anyone",
    params: ListGroups,
    answer: pageOf(Group, {
      keyset: { orders: [{ orderBy: "name", sort: ["asc"] }], defaults: { orderBy: "name", sort: "asc" } },
      deepestOffsetOf: "Group",
    }),
    handle({ context, caller, params, page, baseUrl }) {
      return presentPage(context, listGroups(context, caller, params, page), caller, params, baseUrl);
    },
  }),

  operation({
    method: "POST",
    path: "/groups",
    summary: "Create a group",
    who: "signed_in",
    params: CreateGroup,
    answer: created(GroupDetail),
    failures: ["forbidden", "not_found"],
    handle({ context, caller, params, baseUrl }) {
      return presentGroupDetail(context, createGroup(context, caller, params), caller, baseUrl);
    },
  }),

  operation({
    method: "GET",
    path: "/groups/:id",
    summary: "Get a group",
    who: inGroup(accessLevels.none, { anonymous: true }),
    params: GetGroup,
    answer: ok(GroupDetail),
    handle({ context, caller, params, group, baseUrl }) {
      return presentGroupDetail(context, group, caller, baseUrl, {
        withProjects: params.with_projects,
        withCustomAttributes: params.with_custom_attributes,
      });
    },
  }),

  operation({
    method: "GET",
    path: "/groups/:id/subgroups",
    summary: "List the groups right below a group",
    who: inGroup(accessLevels.none, { anonymous: true }),
    params: ListGroupsBelow,
    answer: pageOf(Group),
    handle({ context, caller, params, group, page, baseUrl }) {
      return presentPage(context, listSubgroups(context, caller, group, params, page), caller, params, baseUrl);
    },
  }),

  operation({
    method: "GET",
    path: "/groups/:id/descendant_groups",
    summary: "List the groups on all levels below a group",
    who: inGroup(accessLevels.none, { anonymous: true }),
    params: ListGroupsBelow,
    answer: pageOf(Group),
    handle({ context, caller, params, group, page, baseUrl }) {
      return presentPage(context, listDescendantGroups(context, caller, group, params, page), caller, params, baseUrl);
    },
  }),
];

function presentPage(
  context: Context,
  page: Page<GroupRecord>,
  caller: Caller,
  params: { readonly statistics?: boolean; readonly with_custom_attributes?: boolean },
  baseUrl: string,
) {
  const options = { statistics: params.statistics, withCustomAttributes: params.with_custom_attributes };
  return mapPage(page, (group) => presentGroup(context, group, caller, baseUrl, options));
}
