import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import { mapPage } from "../../../domain/page.ts";
import { atLeastOne, idInPath, mutuallyExclusive, oneOf, optional, projectId } from "../../../domain/parameters.ts";
import { forGroupsAndProjects, inProject } from "../../core/access/index.ts";
import { getUser } from "../../core/users/index.ts";
import { created, noContent, ok, operation, pageOf } from "../../kernel/operation.ts";
import { billableOperations } from "./billable/operations.ts";
import { importMembers } from "./import.ts";
import { managingLevels, requireMemberReader } from "./policy.ts";
import { memberView, presentEffectiveMember, presentMember } from "./present.ts";
import {
  AddedMembers,
  AddMember,
  EditMember,
  ListAllMembers,
  ListMembers,
  Member,
  RemoveMember,
  UserMembership,
  userInPath,
} from "./schema.ts";
import { deleteMember, updateMember } from "./service.ts";
import { createMembers } from "./service-create.ts";
import { getMembership } from "./service-direct-memberships.ts";
import { getEffectiveMembership, listAllMembers, listDirectMembers } from "./service-lists.ts";
import { listMembershipsOf, presentUserMembership } from "./service-of-user.ts";
import { memberStateOperations } from "./states/operations.ts";

const whoeverSees = { group: accessLevels.none, project: accessLevels.none };

export const memberOperations = [
  ...forGroupsAndProjects(({ path, id, noun, who }) =>
    operation({
      method: "GET",
      path: `${path}/members`,
      summary: `List the direct members of a ${noun}`,
      who: who(whoeverSees),
      params: Type.Object({ id, ...ListMembers.properties }),
      answer: pageOf(Member),
      handle(call) {
        const { context, caller, params, page, ...source } = call;
        requireMemberReader(context, caller, source);
        const view = memberView(call, source, { isSeatShown: params.show_seat_info });
        return mapPage(listDirectMembers(context, caller, source, params, page), (row) => presentMember(row, view));
      },
    }),
  ),

  ...forGroupsAndProjects(({ path, id, noun, who }) =>
    operation({
      method: "GET",
      path: `${path}/members/all`,
      summary: `List all members of a ${noun}, including inherited and invited ones`,
      who: who(whoeverSees),
      params: Type.Object({ id, ...ListAllMembers.properties }),
      answer: pageOf(Member),
      handle(call) {
        const { context, caller, params, page, ...source } = call;
        requireMemberReader(context, caller, source);
        const view = memberView(call, source, { isSeatShown: params.show_seat_info });
        return mapPage(listAllMembers(context, caller, source, params, page), (way) =>
          presentEffectiveMember(way, view),
        );
      },
    }),
  ),

  ...forGroupsAndProjects(({ path, id, noun, who }) =>
    operation({
      method: "GET",
      path: `${path}/members/:user_id`,
      summary: `Get a direct member of a ${noun}`,
      who: who(whoeverSees),
      params: Type.Object({ id, user_id: userInPath() }),
      answer: ok(Member),
      handle(call) {
        const { context, caller, params, ...source } = call;
        requireMemberReader(context, caller, source);
        const row = getMembership(context, source, params.user_id);
        return presentMember(row, memberView(call, source));
      },
    }),
  ),

  ...forGroupsAndProjects(({ path, id, noun, who }) =>
    operation({
      method: "GET",
      path: `${path}/members/all/:user_id`,
      summary: `Get a member of a ${noun}, including inherited and invited ones`,
      who: who(whoeverSees),
      params: Type.Object({ id, user_id: userInPath() }),
      answer: ok(Member),
      handle(call) {
        const { context, caller, params, ...source } = call;
        requireMemberReader(context, caller, source);
        const way = getEffectiveMembership(context, caller, source, params.user_id);
        return presentEffectiveMember(way, memberView(call, source));
      },
    }),
  ),

  ...forGroupsAndProjects(({ path, id, noun, who }) =>
    operation({
      method: "POST",
      path: `${path}/members`,
      summary: `Add members to a ${noun}`,
      who: who(managingLevels, { late: true }),
      params: Type.Object({ id, ...AddMember.properties }),
      rules: [mutuallyExclusive("user_id", "username"), atLeastOne("user_id", "username")],
      answer: created(Type.Union([Member, AddedMembers])),
      failures: ["conflict"],
      handle(call) {
        const { context, caller, params, ...source } = call;
        const added = createMembers(context, caller, source, params);
        if ("several" in added) return added.several;
        return presentMember(added.row, memberView(call, source));
      },
    }),
  ),

  ...forGroupsAndProjects(({ path, id, noun, who }) =>
    operation({
      method: "PUT",
      path: `${path}/members/:user_id`,
      summary: `Update a direct member of a ${noun}`,
      who: who(managingLevels, { late: true }),
      params: Type.Object({ id, ...EditMember.properties }),
      answer: ok(Member),
      handle(call) {
        const { context, caller, params, ...source } = call;
        const row = updateMember(context, caller, source, params);
        return presentMember(row, memberView(call, source));
      },
    }),
  ),

  ...forGroupsAndProjects(({ path, id, noun, who }) =>
    operation({
      method: "DELETE",
      path: `${path}/members/:user_id`,
      summary: `Remove a direct member from a ${noun}`,
      who: who(managingLevels, { late: true }),
      params: Type.Object({ id, ...RemoveMember.properties }),
      answer: noContent(),
      handle(call) {
        const { context, caller, params, unmodifiedSince, ...source } = call;
        deleteMember(context, caller, source, params, unmodifiedSince);
      },
    }),
  ),

  operation({
    method: "POST",
    path: "/projects/:id/import_project_members/:project_id",
    summary: "Add the direct members of another project to a project",
    who: inProject(accessLevels.maintainer, { late: true }),
    params: Type.Object({ id: projectId(), project_id: projectId() }),
    answer: created(AddedMembers),
    failures: ["not_found", "unprocessable", "not_allowed"],
    handle({ context, caller, params, project }) {
      return importMembers(context, caller, project, params.project_id);
    },
  }),

  operation({
    method: "GET",
    path: "/users/:id/memberships",
    summary: "List the direct memberships of a user",
    who: "administrator",
    scopes: ["read_user"],
    params: Type.Object({ id: idInPath("user id"), type: optional(oneOf(["Project", "Namespace"])) }),
    answer: pageOf(UserMembership),
    handle(call) {
      const { context, params, page } = call;
      const { id } = getUser(context.store, params.id);
      return mapPage(listMembershipsOf(context, id, params.type, page), (row) => presentUserMembership(row, call));
    },
  }),

  ...billableOperations,
  ...memberStateOperations,
];
