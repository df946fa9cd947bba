import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import { mapPage } from "../../../domain/page.ts";
import { atLeastOne, optional, pathText, projectId, searchText } from "../../../domain/parameters.ts";
import { inProject } from "../../core/access/index.ts";
import { presentBasicUser } from "../../core/users/index.ts";
import { created, ok, operation, pageOf } from "../../kernel/operation.ts";
import { presentProject } from "./present-project.ts";
import { Project, Starrer } from "./schema.ts";
import { UpdateProject } from "./schema-parameters.ts";
import { listStarrers, starProject, unstarProject } from "./service-stars.ts";
import { transferProjectTo } from "./service-transfer.ts";
import { updateArchived, updateProject } from "./service-update.ts";

const InPath = Type.Object({ id: projectId() });

export const actionOperations = [
  operation({
    method: "PUT",
    path: "/projects/:id",
    summary: "Update a project",
    who: inProject(accessLevels.maintainer),
    params: Type.Object({ ...InPath.properties, ...UpdateProject }),
    rules: [atLeastOne(...Object.keys(UpdateProject))],
    answer: ok(Project),
    async handle(call) {
      const { context, caller, project, params } = call;
      return presentProject(await updateProject(context, caller, project, params), call);
    },
  }),

  operation({
    method: "PUT",
    path: "/projects/:id/transfer",
    summary: "Transfer a project",
    who: inProject(accessLevels.owner),
    params: Type.Object({
      ...InPath.properties,
      namespace: pathText({ description: "id or full path", takesNumber: true }),
    }),
    answer: ok(Project),
    failures: ["invalid"],
    handle(call) {
      const { context, caller, project, params } = call;
      return presentProject(transferProjectTo(context, caller, project, params.namespace), call);
    },
  }),

  ...(
    [
      ["archive", "Archive a project", true],
      ["unarchive", "Unarchive a project", false],
    ] as const
  ).map(([name, summary, archived]) =>
    operation({
      method: "POST",
      path: `/projects/:id/${name}`,
      summary,
      who: inProject(accessLevels.owner),
      params: InPath,
      answer: created(Project),
      handle(call) {
        const { context, caller, project } = call;
        return presentProject(updateArchived(context, caller, project, archived), call);
      },
    }),
  ),

  ...(
    [
      ["star", "Star a project", starProject],
      ["unstar", "Unstar a project", unstarProject],
    ] as const
  ).map(([name, summary, act]) =>
    operation({
      method: "POST",
      path: `/projects/:id/${name}`,
      summary,
      who: inProject(accessLevels.none),
      params: InPath,
      answer: created(Project),
      failures: ["unchanged"],
      handle(call) {
        const { context, caller, project } = call;
        return presentProject(act(context, caller, project), call);
      },
    }),
  ),

  operation({
    method: "GET",
    path: "/projects/:id/starrers",
    summary: "List the users who starred a project",
    who: inProject(accessLevels.none, { anonymous: true }),
    params: Type.Object({ ...InPath.properties, search: optional(searchText("part of the name or username")) }),
    answer: pageOf(Starrer),
    handle(call) {
      const { context, caller, project, params, page } = call;
      return mapPage(listStarrers(context, caller, project, params.search, page), ({ star, user }) => ({
        starred_since: star.created_at,
        user: presentBasicUser(user, call),
      }));
    },
  }),
];
