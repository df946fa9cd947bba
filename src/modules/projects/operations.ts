import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../domain/access-level.ts";
import { atLeastOne, idInPath, projectId } from "../../domain/parameters.ts";
import { accepted, created, inProject, ok, operation } from "../operation.ts";
import { getUser } from "../users/index.ts";
import { createProject, createProjectForUser } from "./create.ts";
import { CreateProject, GetProject } from "./parameters.ts";
import { presentProject } from "./present-whole.ts";
import { deleteProject } from "./remove.ts";
import { AnyProject, Project } from "./schema.ts";

const nameOrPath = atLeastOne("name", "path");

export const recordOperations = [
  operation({
    method: "POST",
    path: "/projects",
    summary: "Create a project",
    who: "signed_in",
    params: Type.Object(CreateProject),
    rules: [nameOrPath],
    answer: created(Project),
    failures: ["forbidden"],
    handle({ context, caller, params, baseUrl }) {
      return presentProject(context, caller, createProject(context, caller, params), baseUrl);
    },
  }),

  operation({
    method: "POST",
    path: "/projects/user/:user_id",
    summary: "Create a project in the namespace of a user",
    who: "administrator",
    params: Type.Object({ user_id: idInPath("user id"), ...CreateProject }),
    rules: [nameOrPath],
    answer: created(Project),
    handle({ context, caller, params, baseUrl }) {
      const user = getUser(context.store, params.user_id);
      return presentProject(context, caller, createProjectForUser(context, caller, user, params), baseUrl);
    },
  }),

  operation({
    method: "GET",
    path: "/projects/:id",
    summary: "Get a project",
    who: inProject(accessLevels.none, { anonymous: true }),
    params: Type.Object({ id: projectId(), ...GetProject }),
    answer: ok(AnyProject),
    handle({ context, caller, project, params, baseUrl }) {
      return presentProject(context, caller, project, baseUrl, params);
    },
  }),

  operation({
    method: "DELETE",
    path: "/projects/:id",
    summary: "Delete a project",
    who: inProject(accessLevels.owner),
    params: Type.Object({ id: projectId() }),
    answer: accepted(),
    handle({ context, caller, project, unmodifiedSince }) {
      deleteProject(context, caller, project, unmodifiedSince);
    },
  }),
];
