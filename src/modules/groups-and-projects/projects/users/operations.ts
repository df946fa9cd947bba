import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../../domain/access-level.ts";
import { mapPage, pageOfAll } from "../../../../domain/page.ts";
import { boolean, integer, list, oneOf, optional, projectId, searchText } from "../../../../domain/parameters.ts";
import { getProject, inProject } from "../../../core/access/index.ts";
import { BasicUser, presentBasicUser } from "../../../core/users/index.ts";
import { ok, operation, pageOf } from "../../../kernel/operation.ts";
import { GroupOfProject, ProjectStorage } from "../schema.ts";
import { presentGroupOfProject } from "./present.ts";
import { listInvitedGroups, listProjectGroups, listProjectUsers } from "./service.ts";
import { listTransferLocations } from "./service-locations.ts";

const InPath = Type.Object({ id: projectId() });
const whoeverSees = inProject(accessLevels.none, { anonymous: true });
const level = optional(oneOf([0, 5, 10, 15, 20, 30, 40, 50]));

export const projectUserOperations = [
  operation({
    method: "GET",
    path: "/projects/:id/users",
    summary: "List the users of a project",
    who: whoeverSees,
    params: Type.Object({
      ...InPath.properties,
      search: optional(searchText("part of the name or username")),
      skip_users: optional(list(integer({ saturate: true }), { split: true })),
    }),
    answer: pageOf(BasicUser),
    handle(call) {
      const { context, caller, project, params, page } = call;
      return mapPage(listProjectUsers(context, caller, project, params, page), (user) => presentBasicUser(user, call));
    },
  }),

  operation({
    method: "GET",
    path: "/projects/:id/groups",
    summary: "List the ancestor groups of a project",
    who: whoeverSees,
    params: Type.Object({
      ...InPath.properties,
      search: optional(searchText("part of the name or path")),
      skip_groups: optional(list(integer({ saturate: true }), { split: true })),
      with_shared: optional(boolean({ description: "those that were invited, too" })),
      shared_min_access_level: level,
    }),
    answer: pageOf(GroupOfProject),
    handle(call) {
      const { context, caller, project, params, page } = call;
      const found = listProjectGroups(context, caller, project, params);
      return mapPage(pageOfAll(found, page), (group) => presentGroupOfProject(group, call));
    },
  }),

  operation({
    method: "GET",
    path: "/projects/:id/invited_groups",
    summary: "List the groups invited to a project",
    who: whoeverSees,
    params: Type.Object({
      ...InPath.properties,
      search: optional(searchText("part of the name or path")),
      relation: optional(list(oneOf(["direct", "inherited"]), { split: true })),
      min_access_level: level,
    }),
    answer: pageOf(GroupOfProject),
    handle(call) {
      const { context, caller, project, params, page } = call;
      const found = listInvitedGroups(context, caller, project, params);
      return mapPage(pageOfAll(found, page), (group) => presentGroupOfProject(group, call));
    },
  }),

  operation({
    method: "GET",
    path: "/projects/:id/transfer_locations",
    summary: "List the groups that a project can be transferred to",
    who: inProject(accessLevels.owner),
    params: Type.Object({ ...InPath.properties, search: optional(searchText("part of the name or path")) }),
    answer: pageOf(GroupOfProject),
    handle(call) {
      const { context, caller, project, params, page } = call;
      const found = listTransferLocations(context, caller, project, params.search, page);
      return mapPage(found, (group) => presentGroupOfProject(group, call));
    },
  }),

  operation({
    method: "GET",
    path: "/projects/:id/storage",
    summary: "Get the repository storage of a project",
    who: "administrator",
    params: InPath,
    answer: ok(ProjectStorage),
    handle({ context, caller, params }) {
      const project = getProject(context, caller, params.id);
      const hash = Bun.SHA256.hash(String(project.id), "hex");
      return {
        project_id: project.id,
        disk_path: `@hashed/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`,
        created_at: project.created_at,
        repository_storage: project.repository_storage,
      };
    },
  }),
];
