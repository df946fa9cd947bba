import { accessLevels } from "../../../domain/access-level.ts";
import { mapPage } from "../../../domain/page.ts";
import { inProject } from "../../core/access/index.ts";
import { created, noContent, ok, operation, pageOf } from "../../kernel/operation.ts";
import { presentTrigger } from "./present.ts";
import { CreateTrigger, Trigger, TriggerInPath, TriggersInPath, UpdateTrigger } from "./schema.ts";
import { createTrigger, deleteTrigger, getTrigger, listTriggers, updateTrigger } from "./service.ts";

const path = "/projects/:id/triggers";
const onePath = `${path}/:trigger_id`;
const maintainers = inProject(accessLevels.maintainer);

/** triggers-and-pipelines 1. */
export const tokenOperations = [
  operation({
    method: "GET",
    path,
    summary: "List the pipeline trigger tokens of a project",
    who: maintainers,
    params: TriggersInPath,
    answer: pageOf(Trigger),
    handle(call) {
      const { context, project, page } = call;
      return mapPage(listTriggers(context.store, project, page), (trigger) => presentTrigger(trigger, call));
    },
  }),

  operation({
    method: "GET",
    path: onePath,
    summary: "Get a pipeline trigger token of a project",
    who: maintainers,
    params: TriggerInPath,
    answer: ok(Trigger),
    handle(call) {
      const { context, project, params } = call;
      return presentTrigger(getTrigger(context.store, project, params.trigger_id), call);
    },
  }),

  operation({
    method: "POST",
    path,
    summary: "Create a pipeline trigger token in a project",
    who: maintainers,
    params: CreateTrigger,
    answer: created(Trigger),
    failures: ["invalid"],
    handle(call) {
      const { context, caller, project, params } = call;
      return presentTrigger(createTrigger(context, caller, project, params), call);
    },
  }),

  operation({
    method: "PUT",
    path: onePath,
    summary: "Update a pipeline trigger token",
    who: maintainers,
    params: UpdateTrigger,
    answer: ok(Trigger),
    handle(call) {
      const { context, caller, project, params } = call;
      const trigger = getTrigger(context.store, project, params.trigger_id);
      return presentTrigger(updateTrigger(context, caller, trigger, params), call);
    },
  }),

  operation({
    method: "DELETE",
    path: onePath,
    summary: "Delete a pipeline trigger token of a project",
    who: maintainers,
    params: TriggerInPath,
    answer: noContent(),
    handle({ context, project, params, unmodifiedSince }) {
      deleteTrigger(context.store, getTrigger(context.store, project, params.trigger_id), unmodifiedSince);
    },
  }),
];
