import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import { forbidden } from "../../../domain/failure.ts";
import { mapPage } from "../../../domain/page.ts";
import { boolean, groupId, optional, projectId } from "../../../domain/parameters.ts";
import { getProject, inGroup, projectsSharedWith } from "../../core/access/index.ts";
import { created, operation, pageOf } from "../../kernel/operation.ts";
import { GroupDetail, presentGroupDetail } from "../groups/index.ts";
import { namespaces } from "../namespaces-api/records.ts";
import {
  AnyProject,
  ListGroupProjects,
  listGroupProjects,
  projectPresenter,
  transferProject,
} from "../projects/index.ts";
import { projectsOfGroup } from "./scopes.ts";

const InPath = { id: groupId() };
const { owned: _owned, ...ListSharedProjects } = ListGroupProjects;

export const groupProjectOperations = [
  operation({
    method: "GET",
    path: "/groups/:id/projects",
    summary: "List the projects of a group",
    who: inGroup(accessLevels.none, { anonymous: true }),
    params: Type.Object({
      ...InPath,
      ...ListGroupProjects,
      with_shared: optional(boolean({ description: "those that are shared with the group, too; true by default" })),
      include_subgroups: optional(boolean()),
      include_ancestor_groups: optional(boolean()),
    }),
    answer: pageOf(AnyProject),
    handle(call) {
      const { context, caller, group, params, page } = call;
      const scope = [{ ids: projectsOfGroup(context, group, params) }];
      const found = listGroupProjects(context, caller, params, page, scope);
      return mapPage(found, projectPresenter(call, params));
    },
  }),

  operation({
    method: "GET",
    path: "/groups/:id/projects/shared",
    summary: "List the projects shared with a group",
    who: inGroup(accessLevels.none, { anonymous: true }),
    params: Type.Object({ ...InPath, ...ListSharedProjects }),
    answer: pageOf(AnyProject),
    handle(call) {
      const { context, caller, group, params, page } = call;
      const scope = [{ ids: projectsSharedWith(context, group.id) }];
      const found = listGroupProjects(context, caller, params, page, scope);
      return mapPage(found, projectPresenter(call, params));
    },
  }),

  operation({
    method: "POST",
    path: "/groups/:id/projects/:project_id",
    summary: "Transfer a project to a group",
    who: inGroup(accessLevels.none),
    params: Type.Object({ ...InPath, project_id: projectId() }),
    answer: created(GroupDetail),
    failures: ["invalid"],
    handle(call) {
      const { context, caller, group, params } = call;
      if (!caller.user.is_admin) throw forbidden();
      const target = context.store.of(namespaces).get(group.id);
      if (target === undefined) throw new Error(`group ${group.id} has no namespace`);
      transferProject(context, caller, getProject(context, caller, params.project_id), target);
      return presentGroupDetail(group, call);
    },
  }),
];
