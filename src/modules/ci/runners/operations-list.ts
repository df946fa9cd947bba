import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import { mapPage } from "../../../domain/page.ts";
import { groupId, idInPath, integer, projectId } from "../../../domain/parameters.ts";
import { inGroup, inProject } from "../../core/access/index.ts";
import { created, noContent, operation, pageOf } from "../../kernel/operation.ts";
import { presentRunner } from "./present.ts";
import { Runner, RunnerFilters } from "./schema.ts";
import { disableRunner, enableRunner } from "./service-enable.ts";
import { listAllRunners, listGroupRunners, listOwnRunners, listProjectRunners } from "./service-list.ts";

const filters = RunnerFilters.properties;
const inPath = { id: projectId() };

/** Operations that list runners, and those that assign runners to a project. */
export const runnerListOperations = [
  operation({
    method: "GET",
    path: "/runners",
    summary: "List the runners available to the current user",
    who: "signed_in",
    params: RunnerFilters,
    answer: pageOf(Runner),
    handle(call) {
      const { context, caller, params, page } = call;
      return mapPage(listOwnRunners(context, caller, params, page), (runner) => presentRunner(runner, call));
    },
  }),

  operation({
    method: "GET",
    path: "/runners/all",
    summary: "List all runners",
    who: "administrator",
    params: RunnerFilters,
    answer: pageOf(Runner),
    handle(call) {
      const { context, params, page } = call;
      return mapPage(listAllRunners(context, params, page), (runner) => presentRunner(runner, call));
    },
  }),

  operation({
    method: "GET",
    path: "/projects/:id/runners",
    summary: "List the runners of a project",
    who: inProject(accessLevels.maintainer),
    params: Type.Object({ id: projectId(), ...filters }),
    answer: pageOf(Runner),
    handle(call) {
      const { context, project, params, page } = call;
      return mapPage(listProjectRunners(context, project, params, page), (runner) => presentRunner(runner, call));
    },
  }),

  operation({
    method: "GET",
    path: "/groups/:id/runners",
    summary: "List the runners of a group",
    who: inGroup(accessLevels.maintainer),
    params: Type.Object({ id: groupId(), ...filters }),
    answer: pageOf(Runner),
    handle(call) {
      const { context, group, params, page } = call;
      return mapPage(listGroupRunners(context, group, params, page), (runner) => presentRunner(runner, call));
    },
  }),

  operation({
    method: "POST",
    path: "/projects/:id/runners",
    summary: "Enable a runner for a project",
    who: inProject(accessLevels.maintainer),
    params: Type.Object({ ...inPath, runner_id: integer() }),
    answer: created(Runner),
    failures: ["forbidden", "invalid"],
    handle(call) {
      const { context, caller, project, params } = call;
      return presentRunner(enableRunner(context, caller, project, params.runner_id), call);
    },
  }),

  operation({
    method: "DELETE",
    path: "/projects/:id/runners/:runner_id",
    summary: "Disable a runner for a project",
    who: inProject(accessLevels.maintainer),
    params: Type.Object({ ...inPath, runner_id: idInPath("runner id") }),
    answer: noContent(),
    failures: ["forbidden"],
    handle({ context, project, params, unmodifiedSince }) {
      disableRunner(context, project, params.runner_id, unmodifiedSince);
    },
  }),
];
