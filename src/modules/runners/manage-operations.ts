import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../domain/access-level.ts";
import { mapPage } from "../../domain/page.ts";
import { groupId, idInPath, projectId } from "../../domain/parameters.ts";
import { created, inGroup, inProject, nothing, ok, operation, pageOf } from "../operation.ts";
import { changeRunner, getRunner } from "./change.ts";
import { listAllRunners, listGroupRunners, listOwnRunners, listProjectRunners } from "./list.ts";
import { presentRunner, presentRunnerDetails } from "./present.ts";
import { NewRunnerToken, Runner, RunnerAttributes, RunnerDetails, RunnerFilters } from "./schema.ts";
import { deleteRunner } from "./service.ts";
import { resetRunnerToken } from "./tokens.ts";

const RunnerInPath = Type.Object({ id: idInPath("runner id") });
const inPath = RunnerInPath.properties;
const filters = RunnerFilters.properties;

/** What people see and change of runners. */
export const manageOperations = [
  operation({
    method: "GET",
    path: "/runners",
    summary: "List the runners of your groups and projects",
    who: "signed_in",
    params: RunnerFilters,
    answer: pageOf(Runner),
    handle({ context, caller, params, page }) {
      return mapPage(listOwnRunners(context, caller, params, page), (runner) => presentRunner(runner, context));
    },
  }),

  operation({
    method: "GET",
    path: "/runners/all",
    summary: "List all runners",
    who: "administrator",
    params: RunnerFilters,
    answer: pageOf(Runner),
    handle({ context, params, page }) {
      return mapPage(listAllRunners(context, params, page), (runner) => presentRunner(runner, context));
    },
  }),

  operation({
    method: "GET",
    path: "/projects/:id/runners",
    summary: "List the runners that may take the jobs of a project",
    who: inProject(accessLevels.maintainer),
    params: Type.Object({ id: projectId(), ...filters }),
    answer: pageOf(Runner),
    handle({ context, project, params, page }) {
      return mapPage(listProjectRunners(context, project, params, page), (runner) => presentRunner(runner, context));
    },
  }),

  operation({
    method: "GET",
    path: "/groups/:id/runners",
    summary: "List the runners that may take the jobs of a group",
    who: inGroup(accessLevels.owner),
    params: Type.Object({ id: groupId(), ...filters }),
    answer: pageOf(Runner),
    handle({ context, group, params, page }) {
      return mapPage(listGroupRunners(context, group, params, page), (runner) => presentRunner(runner, context));
    },
  }),

  operation({
    method: "GET",
    path: "/runners/:id",
    summary: "Get a runner",
    who: "signed_in",
    params: RunnerInPath,
    answer: ok(RunnerDetails),
    handle({ context, caller, params, baseUrl }) {
      return presentRunnerDetails(getRunner(context, caller, params.id), context, baseUrl);
    },
  }),

  operation({
    method: "PUT",
    path: "/runners/:id",
    summary: "Change a runner",
    who: "signed_in",
    params: Type.Object({ ...inPath, ...RunnerAttributes.properties }),
    answer: ok(RunnerDetails),
    failures: ["invalid"],
    handle({ context, caller, params: { id, ...attributes }, baseUrl }) {
      const runner = changeRunner(context, getRunner(context, caller, id), attributes);
      return presentRunnerDetails(runner, context, baseUrl);
    },
  }),

  operation({
    method: "DELETE",
    path: "/runners/:id",
    summary: "Delete a runner",
    who: "signed_in",
    params: RunnerInPath,
    answer: nothing(),
    handle({ context, caller, params, unmodifiedSince }) {
      deleteRunner(context, caller, getRunner(context, caller, params.id), unmodifiedSince);
    },
  }),

  operation({
    method: "POST",
    path: "/runners/:id/reset_authentication_token",
    summary: "Give a runner another token",
    who: "signed_in",
    params: RunnerInPath,
    answer: created(NewRunnerToken),
    handle({ context, caller, params }) {
      const { token } = resetRunnerToken(context, caller, getRunner(context, caller, params.id));
      return { token, token_expires_at: null };
    },
  }),
];
