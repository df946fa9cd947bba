import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import { mapPage } from "../../../domain/page.ts";
import { groupId } from "../../../domain/parameters.ts";
import { inGroup, inProject, requireUnarchived } from "../../core/access/index.ts";
import type { GroupRecord } from "../../groups-and-projects/groups/records.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import { created, noContent, type Operation, ok, operation, pageOf } from "../../kernel/operation.ts";
import { presentCiVariable, presentInstanceCiVariable } from "./present.ts";
import { theInstance, type VariableSource } from "./records.ts";
import { CiVariable, InstanceCiVariable, instanceParameters, variableParameters } from "./schema.ts";
import {
  createVariable,
  deleteVariable,
  getVariable,
  getVariableToUpdate,
  listVariables,
  updateVariable,
} from "./service.ts";

type InPlace = { readonly group: GroupRecord } | { readonly project: ProjectRecord };

/** Owners see the variables of a group, maintainers those of a project; the role is checked before the parameters. */
const places = {
  project: inProject(accessLevels.maintainer, { first: true }),
  group: inGroup(accessLevels.owner, { first: true }),
} as const;

/** ci-variables 1. */
export const variableOperations = [...operationsIn("project"), ...operationsIn("group")];

function operationsIn(noun: keyof typeof places): Operation[] {
  const who = places[noun];
  const path = `/${noun}s/:id/variables`;
  const one = Type.Object({ id: groupId(), ...variableParameters.one });
  return [
    operation({
      method: "GET",
      path,
      summary: `List the CI variables of a ${noun}`,
      who,
      params: Type.Object({ id: groupId() }),
      answer: pageOf(CiVariable),
      handle: (call) =>
        mapPage(listVariables(call.context.store, sourceOf(call), call.page), (each) => presentCiVariable(each, call)),
    }),

    operation({
      method: "GET",
      path: `${path}/:key`,
      summary: `Get a CI variable of a ${noun}`,
      who,
      params: one,
      answer: ok(CiVariable),
      failures: ["conflict"],
      handle: (call) => presentCiVariable(getVariable(call.context.store, sourceOf(call), call.params), call),
    }),

    operation({
      method: "POST",
      path,
      summary: `Create a CI variable of a ${noun}`,
      who,
      params: Type.Object({ id: groupId(), ...variableParameters.create }),
      answer: created(CiVariable),
      failures: ["invalid"],
      handle: (call) => presentCiVariable(createVariable(call.context, call.caller, sourceOf(call), call.params), call),
    }),

    operation({
      method: "PUT",
      path: `${path}/:key`,
      summary: `Update a CI variable of a ${noun}`,
      who,
      params: Type.Object({ id: groupId(), ...variableParameters.update }),
      answer: ok(CiVariable),
      failures: ["conflict", "invalid"],
      handle(call) {
        const { context, caller, params } = call;
        const variable = getVariableToUpdate(context.store, sourceOf(call), params);
        return presentCiVariable(updateVariable(context, caller, variable, params), call);
      },
    }),

    operation({
      method: "DELETE",
      path: `${path}/:key`,
      summary: `Delete a CI variable of a ${noun}`,
      who,
      params: one,
      answer: noContent(),
      failures: ["conflict", "precondition"],
      handle(call) {
        const { context, caller, params, unmodifiedSince } = call;
        deleteVariable(context, caller, getVariable(context.store, sourceOf(call), params), unmodifiedSince);
      },
    }),
  ];
}

/** Throws 403 for an archived project. */
function sourceOf(place: InPlace): VariableSource {
  if ("project" in place) requireUnarchived(place);
  return "group" in place
    ? { source_type: "group", source_id: place.group.id }
    : { source_type: "project", source_id: place.project.id };
}

const instancePath = "/admin/ci/variables";

export const instanceVariableOperations = [
  operation({
    method: "GET",
    path: instancePath,
    summary: "List the CI variables of the instance",
    who: "administrator_first",
    params: Type.Object({}),
    answer: pageOf(InstanceCiVariable),
    handle: (call) =>
      mapPage(listVariables(call.context.store, theInstance, call.page), (each) =>
        presentInstanceCiVariable(each, call),
      ),
  }),

  operation({
    method: "GET",
    path: `${instancePath}/:key`,
    summary: "Get a CI variable of the instance",
    who: "administrator_first",
    params: Type.Object(instanceParameters.one),
    answer: ok(InstanceCiVariable),
    handle: (call) => presentInstanceCiVariable(getVariable(call.context.store, theInstance, call.params), call),
  }),

  operation({
    method: "POST",
    path: instancePath,
    summary: "Create a CI variable of the instance",
    who: "administrator_first",
    params: Type.Object(instanceParameters.create),
    answer: created(InstanceCiVariable),
    failures: ["invalid"],
    handle: (call) =>
      presentInstanceCiVariable(createVariable(call.context, call.caller, theInstance, call.params), call),
  }),

  operation({
    method: "PUT",
    path: `${instancePath}/:key`,
    summary: "Update a CI variable of the instance",
    who: "administrator_first",
    params: Type.Object(instanceParameters.update),
    answer: ok(InstanceCiVariable),
    failures: ["invalid"],
    handle(call) {
      const { context, caller, params } = call;
      const variable = getVariable(context.store, theInstance, params);
      return presentInstanceCiVariable(updateVariable(context, caller, variable, params), call);
    },
  }),

  operation({
    method: "DELETE",
    path: `${instancePath}/:key`,
    summary: "Delete a CI variable of the instance",
    who: "administrator_first",
    params: Type.Object(instanceParameters.one),
    answer: noContent(),
    failures: ["precondition"],
    handle({ context, caller, params, unmodifiedSince }) {
      deleteVariable(context, caller, getVariable(context.store, theInstance, params), unmodifiedSince);
    },
  }),
];
