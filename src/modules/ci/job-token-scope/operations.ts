import { accessLevels } from "../../../domain/access-level.ts";
import { mapPage, pageOfAll } from "../../../domain/page.ts";
import { inProject } from "../../core/access/index.ts";
import { created, noContent, ok, operation, pageOf } from "../../kernel/operation.ts";
import { presentAllowedGroup, presentAllowedProject, presentScope } from "./present.ts";
import {
  AllowedGroup,
  AllowedProject,
  ChangeScope,
  GroupLink,
  InProject,
  JobTokenScope,
  NamedGroup,
  NamedProject,
  ProjectLink,
} from "./schema.ts";
import { updateInboundLimit } from "./service.ts";
import { createLink, deleteLink, listAllowedGroups, listAllowedProjects } from "./service-links.ts";

const path = "/projects/:id/job_token_scope";
const maintainers = inProject(accessLevels.maintainer);
/** Their target is looked for before the role is. */
const maintainersLate = inProject(accessLevels.maintainer, { late: true });

/** job-token-scope 2: who may reach the project with the token of a job. */
export const jobTokenScopeOperations = [
  operation({
    method: "GET",
    path,
    summary: "Get the job token access settings of a project",
    who: maintainers,
    params: InProject,
    answer: ok(JobTokenScope),
    handle({ project }) {
      return presentScope(project);
    },
  }),

  operation({
    method: "PATCH",
    path,
    summary: "Update the job token access settings of a project",
    who: maintainers,
    params: ChangeScope,
    answer: noContent(),
    handle({ context, caller, project, params }) {
      updateInboundLimit(context, caller, project, params.enabled);
    },
  }),

  operation({
    method: "GET",
    path: `${path}/allowlist`,
    summary: "List the projects on the job token allowlist",
    who: maintainers,
    params: InProject,
    answer: pageOf(AllowedProject),
    handle(call) {
      const { context, project, page } = call;
      const all = [project, ...listAllowedProjects(context, project)];
      return mapPage(pageOfAll(all, page), (each) => presentAllowedProject(each, call));
    },
  }),

  operation({
    method: "POST",
    path: `${path}/allowlist`,
    summary: "Add a project to the job token allowlist",
    who: maintainers,
    params: NamedProject,
    answer: created(ProjectLink),
    failures: ["invalid"],
    handle({ context, caller, project, params }) {
      const { target_project_id } = params;
      createLink(context, caller, project, { type: "project", id: target_project_id });
      return { source_project_id: project.id, target_project_id };
    },
  }),

  operation({
    method: "DELETE",
    path: `${path}/allowlist/:target_project_id`,
    summary: "Remove a project from the job token allowlist",
    who: maintainersLate,
    params: NamedProject,
    answer: noContent(),
    failures: ["invalid"],
    handle({ context, caller, project, params, unmodifiedSince }) {
      deleteLink(context, caller, project, { type: "project", id: params.target_project_id }, unmodifiedSince);
    },
  }),

  operation({
    method: "GET",
    path: `${path}/groups_allowlist`,
    summary: "List the groups on the job token allowlist",
    who: maintainers,
    params: InProject,
    answer: pageOf(AllowedGroup),
    handle(call) {
      const { context, project, page } = call;
      return mapPage(pageOfAll(listAllowedGroups(context, project), page), (group) => presentAllowedGroup(group, call));
    },
  }),

  operation({
    method: "POST",
    path: `${path}/groups_allowlist`,
    summary: "Add a group to the job token allowlist",
    who: maintainers,
    params: NamedGroup,
    answer: created(GroupLink),
    failures: ["invalid"],
    handle({ context, caller, project, params }) {
      const { target_group_id } = params;
      createLink(context, caller, project, { type: "group", id: target_group_id });
      return { source_project_id: project.id, target_group_id };
    },
  }),

  operation({
    method: "DELETE",
    path: `${path}/groups_allowlist/:target_group_id`,
    summary: "Remove a group from the job token allowlist",
    who: maintainersLate,
    params: NamedGroup,
    answer: noContent(),
    failures: ["invalid"],
    handle({ context, caller, project, params, unmodifiedSince }) {
      deleteLink(context, caller, project, { type: "group", id: params.target_group_id }, unmodifiedSince);
    },
  }),
];
