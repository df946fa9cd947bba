import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import { notFound } from "../../../domain/failure.ts";
import { atLeastOne, idInPath, projectId, text } from "../../../domain/parameters.ts";
import { getProject, inProject } from "../../core/access/index.ts";
import { getUser } from "../../core/users/index.ts";
import { accepted, created, file, ok, operation } from "../../kernel/operation.ts";
import { avatarContent } from "../../kernel/uploaded-avatar.ts";
import { presentProject } from "./present-project.ts";
import { deleteProject } from "./removal/service-delete.ts";
import { AnyProject, Project } from "./schema.ts";
import { CreateProject, CreateProjectForUser, GetProject, oneSource } from "./schema-parameters.ts";
import { createProject, createProjectForUser } from "./service-create.ts";
import { findLicense } from "./service-license.ts";

const nameOrPath = atLeastOne("name", "path");

export const recordOperations = [
  operation({
    method: "POST",
    path: "/projects",
    summary: "Create a project",
    who: "signed_in",
    params: Type.Object(CreateProject),
    rules: [nameOrPath, oneSource],
    answer: created(Project),
    failures: ["forbidden", "unprocessable"],
    async handle(call) {
      const { context, caller, params, baseUrl } = call;
      return presentProject(await createProject(context, caller, params, baseUrl), call);
    },
  }),

  operation({
    method: "POST",
    path: "/projects/user/:user_id",
    summary: "Create a project for a user",
    who: "administrator",
    params: Type.Object({ user_id: idInPath("user id"), ...CreateProjectForUser }),
    rules: [oneSource],
    answer: created(Project),
    failures: ["unprocessable"],
    async handle(call) {
      const { context, caller, params, baseUrl } = call;
      const user = getUser(context.store, params.user_id);
      const project = await createProjectForUser(context, caller, user, params, baseUrl);
      return presentProject(project, call);
    },
  }),

  operation({
    method: "GET",
    path: "/projects/:id",
    summary: "Get a project",
    who: inProject(accessLevels.none, { anonymous: true }),
    params: Type.Object({ id: projectId(), ...GetProject }),
    answer: ok(AnyProject),
    async handle(call) {
      const { context, caller, project, params } = call;
      const shown = presentProject(project, call, params);
      if (params.license !== true) return shown;
      return { ...shown, ...(await findLicense(context, caller, project, shown.web_url)) };
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

  operation({
    method: "GET",
    path: "/uploads/-/system/project/avatar/:id/:filename",
    root: true,
    summary: "Get the avatar of a project",
    who: "anyone",
    scopes: "any",
    params: Type.Object({ id: idInPath("project id"), filename: text() }),
    answer: file({ maxAgeS: 0 }),
    handle({ context, caller, params }) {
      const { avatar } = getProject(context, caller, params.id);
      if (avatar?.filename !== params.filename) throw notFound();
      return avatarContent(context, avatar);
    },
  }),
];
