import { accessLevels } from "../../../domain/access-level.ts";
import { mapPage } from "../../../domain/page.ts";
import { inGroup } from "../../core/access/index.ts";
import { created, noContent, ok, operation, pageOf } from "../../kernel/operation.ts";
import { presentEpic, presentListedEpic } from "./present.ts";
import { Epic, ListedEpic } from "./schema.ts";
import { CreateEpic, EpicInPath, ListEpics, listEpicsRules, UpdateEpic, updateEpicRules } from "./schema-parameters.ts";
import { createEpic } from "./service-create.ts";
import { deleteEpic } from "./service-delete.ts";
import { getEpic } from "./service-find.ts";
import { listEpics } from "./service-list.ts";
import { updateEpic } from "./service-update.ts";

/** issues-labels-milestones-epics 6: epics themselves. */
export const singleOperations = [
  operation({
    method: "GET",
    path: "/groups/:id/epics",
    summary: "List the epics of a group",
    who: inGroup(accessLevels.none, { readers: true }),
    tier: "premium",
    params: ListEpics,
    rules: listEpicsRules,
    answer: pageOf(ListedEpic),
    handle(call) {
      const { context, caller, group, params, page } = call;
      const options = { group, withLabelsDetails: params.with_labels_details };
      return mapPage(listEpics(context, caller, group, params, page), (epic) => presentListedEpic(epic, call, options));
    },
  }),

  operation({
    method: "GET",
    path: "/groups/:id/epics/:epic_iid",
    summary: "Get an epic",
    who: inGroup(accessLevels.none, { readers: true }),
    tier: "premium",
    params: EpicInPath,
    answer: ok(Epic),
    handle(call) {
      const { context, caller, group, params } = call;
      const epic = getEpic(context, caller, group, params.epic_iid);
      return presentEpic(epic, call, { group });
    },
  }),

  operation({
    method: "POST",
    path: "/groups/:id/epics",
    summary: "Create an epic",
    who: inGroup(accessLevels.planner),
    tier: "premium",
    params: CreateEpic,
    answer: created(Epic),
    failures: ["invalid"],
    handle(call) {
      const { context, caller, group, params } = call;
      const epic = createEpic(context, caller, group, params);
      return presentEpic(epic, call, { group });
    },
  }),

  operation({
    method: "PUT",
    path: "/groups/:id/epics/:epic_iid",
    summary: "Update an epic",
    who: inGroup(accessLevels.planner),
    tier: "premium",
    params: UpdateEpic,
    rules: updateEpicRules,
    answer: ok(Epic),
    failures: ["invalid"],
    handle(call) {
      const { context, caller, group, params } = call;
      const epic = updateEpic(context, caller, getEpic(context, caller, group, params.epic_iid), params);
      return presentEpic(epic, call, { group });
    },
  }),

  operation({
    method: "DELETE",
    path: "/groups/:id/epics/:epic_iid",
    summary: "Delete an epic",
    who: inGroup(accessLevels.planner),
    tier: "premium",
    params: EpicInPath,
    answer: noContent(),
    failures: ["precondition"],
    handle({ context, caller, group, params, unmodifiedSince }) {
      deleteEpic(context, caller, getEpic(context, caller, group, params.epic_iid), unmodifiedSince);
    },
  }),
];
