import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import { mapPage } from "../../../domain/page.ts";
import { groupId, optional, projectId, searchText } from "../../../domain/parameters.ts";
import { forGroupsAndProjects, inGroup, inProject } from "../../core/access/index.ts";
import { created, noContent, operation, pageOf } from "../../kernel/operation.ts";
import { Group, GroupDetail, presentGroup, presentGroupDetail } from "../groups/index.ts";
import { GroupOfProject, presentGroupOfProject } from "../projects/index.ts";
import { presentProjectLink } from "./present.ts";
import { GroupLink, InvitedGroup, ListInvitedGroups, ListSharedGroups, ShareSource } from "./schema.ts";
import { deleteShare, shareGroup, shareProject } from "./service.ts";
import { listInvitedGroups, listSharedGroups } from "./service-lists.ts";
import { listShareLocations } from "./service-locations.ts";

export const shareOperations = [
  operation({
    method: "POST",
    path: "/groups/:id/share",
    summary: "Invite a group to a group",
    who: inGroup(accessLevels.owner, { late: true }),
    params: Type.Object({ id: groupId(), ...ShareSource.properties }),
    answer: created(GroupDetail),
    failures: ["conflict", "not_found"],
    handle(call) {
      const { context, caller, params, group } = call;
      shareGroup(context, caller, group, params);
      return presentGroupDetail(group, call);
    },
  }),

  operation({
    method: "GET",
    path: "/projects/:id/share_locations",
    summary: "List the groups that a project can be shared with",
    who: inProject(accessLevels.none, { anonymous: true }),
    params: Type.Object({ id: projectId(), search: optional(searchText("part of the name or path")) }),
    answer: pageOf(GroupOfProject),
    handle(call) {
      const { context, caller, project, params, page } = call;
      const found = listShareLocations(context, caller, project, params.search, page);
      return mapPage(found, (group) => presentGroupOfProject(group, call));
    },
  }),

  operation({
    method: "POST",
    path: "/projects/:id/share",
    summary: "Invite a group to a project",
    who: inProject(accessLevels.maintainer),
    params: Type.Object({ id: projectId(), ...ShareSource.properties }),
    answer: created(GroupLink),
    failures: ["conflict"],
    handle({ context, caller, params, project }) {
      return presentProjectLink(shareProject(context, caller, project, params));
    },
  }),

  ...forGroupsAndProjects(({ noun, path, id, who }) =>
    operation({
      method: "DELETE",
      path: `${path}/share/:group_id`,
      summary: `Remove an invited group from a ${noun}`,
      // A caller who does not own a group gets 204, and the share stays.
      who: who({ group: accessLevels.owner, project: accessLevels.maintainer }, noun === "group" ? { late: true } : {}),
      params: Type.Object({ id, ...InvitedGroup.properties }),
      answer: noContent(),
      handle({ context, caller, params, unmodifiedSince, ...source }) {
        deleteShare(context, caller, source, params.group_id, unmodifiedSince);
      },
    }),
  ),

  operation({
    method: "GET",
    path: "/groups/:id/invited_groups",
    summary: "List the groups invited to a group",
    who: inGroup(accessLevels.none, { anonymous: true }),
    params: Type.Object({ id: groupId(), ...ListInvitedGroups.properties }),
    answer: pageOf(Group),
    handle(call) {
      const { context, caller, params, group, page } = call;
      return mapPage(listInvitedGroups(context, caller, group, params, page), (each) => presentGroup(each, call));
    },
  }),

  operation({
    method: "GET",
    path: "/groups/:id/groups/shared",
    summary: "List the groups shared with a group",
    who: inGroup(accessLevels.none, { anonymous: true }),
    params: Type.Object({ id: groupId(), ...ListSharedGroups.properties }),
    answer: pageOf(Group),
    handle(call) {
      const { context, caller, params, group, page } = call;
      return mapPage(listSharedGroups(context, caller, group, params, page), (each) => presentGroup(each, call));
    },
  }),
];
