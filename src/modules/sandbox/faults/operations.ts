import { Type } from "@sinclair/typebox";
import { created, noContent, ok, operation } from "../../kernel/operation.ts";
import { sandboxOf } from "../clock/index.ts";
import { presentFault } from "./present.ts";
import { CreateFault, FaultEntity, FaultParams } from "./schema.ts";
import { createFault, deleteFault, deleteFaults, getFault, listFaults } from "./service.ts";

const ofSandbox = { root: true, who: "administrator_first", http: { partOf: "sandbox" } } as const;

/** sandbox 3 */
export const faultOperations = [
  operation({
    ...ofSandbox,
    method: "GET",
    path: "/-/sandbox/faults",
    summary: "List rules for faults",
    params: Type.Object({}),
    answer: ok(Type.Array(FaultEntity)),
    handle({ context }) {
      return listFaults(context).map(presentFault);
    },
  }),
  operation({
    ...ofSandbox,
    method: "POST",
    path: "/-/sandbox/faults",
    summary: "Create a rule for faults",
    params: CreateFault,
    answer: created(FaultEntity),
    async handle({ context, params }) {
      return presentFault(createFault(context, await sandboxOf(context).listRoutes(), params));
    },
  }),
  operation({
    ...ofSandbox,
    method: "DELETE",
    path: "/-/sandbox/faults",
    summary: "Delete all rules for faults",
    params: Type.Object({}),
    answer: noContent(),
    handle({ context }) {
      deleteFaults(context);
    },
  }),
  operation({
    ...ofSandbox,
    method: "GET",
    path: "/-/sandbox/faults/:id",
    summary: "Get a rule for faults",
    params: FaultParams,
    answer: ok(FaultEntity),
    handle({ context, params }) {
      return presentFault(getFault(context, params.id));
    },
  }),
  operation({
    ...ofSandbox,
    method: "DELETE",
    path: "/-/sandbox/faults/:id",
    summary: "Delete a rule for faults",
    params: FaultParams,
    answer: noContent(),
    handle({ context, params }) {
      deleteFault(context, params.id);
    },
  }),
];
