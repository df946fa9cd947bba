import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import { mapPage, type Page } from "../../../domain/page.ts";
import { groupId, idInPath, optional, searchText, text } from "../../../domain/parameters.ts";
import { Access, inGroup } from "../../core/access/index.ts";
import { selfAndDescendants } from "../../core/namespaces/index.ts";
import { accepted, created, file, ok, operation, pageOf } from "../../kernel/operation.ts";
import type { View } from "../../kernel/view.ts";
import { GroupOfProject, pageOfLocations, presentGroupOfProject } from "../projects/index.ts";
import { presentGroup, presentGroupDetail } from "./present.ts";
import type { GroupRecord } from "./records.ts";
import { Group, GroupDetail } from "./schema.ts";
import {
  CreateGroup,
  DeleteGroup,
  GetGroup,
  ListGroups,
  ListSubgroups,
  TransferGroup,
  UpdateGroup,
} from "./schema-parameters.ts";
import { getGroupAvatar } from "./service-avatar.ts";
import { createGroup } from "./service-create.ts";
import { deleteGroup } from "./service-delete.ts";
import { listDescendantGroups, listGroups, listSubgroups } from "./service-list.ts";
import { transferGroup } from "./service-transfer.ts";
import { updateGroup } from "./service-update.ts";

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
    handle(call) {
      const { context, caller, params, page } = call;
      return presentPage(listGroups(context, caller, params, page), call, params);
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
    async handle(call) {
      const { context, caller, params } = call;
      return presentGroupDetail(await createGroup(context, caller, params), call, { isNew: true });
    },
  }),

  operation({
    method: "GET",
    path: "/groups/:id",
    summary: "Get a group",
    who: inGroup(accessLevels.none, { anonymous: true }),
    params: GetGroup,
    answer: ok(GroupDetail),
    handle(call) {
      const { params, group } = call;
      return presentGroupDetail(group, call, {
        withProjects: params.with_projects,
        withCustomAttributes: params.with_custom_attributes,
      });
    },
  }),

  operation({
    method: "PUT",
    path: "/groups/:id",
    summary: "Update a group",
    who: inGroup(accessLevels.owner),
    params: UpdateGroup,
    answer: ok(GroupDetail),
    async handle(call) {
      const { context, caller, params, group } = call;
      return presentGroupDetail(await updateGroup(context, caller, group, params), call);
    },
  }),

  operation({
    method: "DELETE",
    path: "/groups/:id",
    summary: "Delete a group",
    who: inGroup(accessLevels.owner),
    params: DeleteGroup,
    answer: accepted(),
    handle({ context, caller, group, unmodifiedSince }) {
      deleteGroup(context, caller, group, unmodifiedSince);
    },
  }),

  operation({
    method: "GET",
    path: "/groups/:id/transfer_locations",
    summary: "List the groups that a group can be transferred to",
    who: inGroup(accessLevels.owner),
    params: Type.Object({ id: groupId(), search: optional(searchText("part of the name or path")) }),
    answer: pageOf(GroupOfProject),
    handle(call) {
      const { context, caller, group, params, page } = call;
      const mine = caller.user === undefined ? [] : context.get(Access).groupsWith(caller.user.id, accessLevels.owner);
      const taken = [
        ...selfAndDescendants(context.store, group.id),
        ...(group.parent_id === null ? [] : [group.parent_id]),
      ];
      const found = pageOfLocations(context, [{ ids: mine }, { not: { ids: taken } }], params.search, page);
      return mapPage(found, (each) => presentGroupOfProject(each, call));
    },
  }),

  operation({
    method: "POST",
    path: "/groups/:id/transfer",
    summary: "Transfer a group",
    who: inGroup(accessLevels.owner),
    params: TransferGroup,
    answer: created(GroupDetail),
    handle(call) {
      const { context, caller, params, group } = call;
      return presentGroupDetail(transferGroup(context, caller, group, params.group_id), call);
    },
  }),

  operation({
    method: "GET",
    path: "/groups/:id/subgroups",
    summary: "List the subgroups of a group",
    who: inGroup(accessLevels.none, { anonymous: true }),
    params: ListSubgroups,
    answer: pageOf(Group),
    handle(call) {
      const { context, caller, params, group, page } = call;
      return presentPage(listSubgroups(context, caller, group, params, page), call, params);
    },
  }),

  operation({
    method: "GET",
    path: "/groups/:id/descendant_groups",
    summary: "List the descendant groups of a group",
    who: inGroup(accessLevels.none, { anonymous: true }),
    params: ListSubgroups,
    answer: pageOf(Group),
    handle(call) {
      const { context, caller, params, group, page } = call;
      return presentPage(listDescendantGroups(context, caller, group, params, page), call, params);
    },
  }),

  operation({
    method: "GET",
    path: "/uploads/-/system/group/avatar/:id/:filename",
    root: true,
    summary: "Get the avatar of a group",
    who: "anyone",
    scopes: "any",
    params: Type.Object({ id: idInPath("group id"), filename: text() }),
    // The readers of the group can change at any time.
    answer: file({ maxAgeS: 0 }),
    handle: ({ context, caller, params }) => getGroupAvatar(context, caller, params.id, params.filename),
  }),
];

function presentPage(
  page: Page<GroupRecord>,
  view: View,
  params: { readonly statistics?: boolean; readonly with_custom_attributes?: boolean },
) {
  const options = { statistics: params.statistics, withCustomAttributes: params.with_custom_attributes };
  return mapPage(page, (group) => presentGroup(group, view, options));
}
