import type { TSchema } from "@sinclair/typebox";
import { type AccessLevel, accessLevels } from "../../../domain/access-level.ts";
import type { Caller } from "../../../domain/caller.ts";
import { mapPage } from "../../../domain/page.ts";
import { atLeastOne, exactlyOne } from "../../../domain/parameters.ts";
import type { SourceRef } from "../../../domain/source.ts";
import { inGroup, inProject, requireUnarchived } from "../../core/access/index.ts";
import type { GroupRecord } from "../../groups-and-projects/groups/records.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { created, noContent, type Operation, ok, operation, pageOf } from "../../kernel/operation.ts";
import type { View } from "../../kernel/view.ts";
import { issueCounter } from "./counts.ts";
import { presentLabel } from "./present.ts";
import type { LabelRecord } from "./records.ts";
import { GroupLabel, groupLabelParameters, ProjectLabel, PromoteLabel, projectLabelParameters } from "./schema.ts";
import {
  createLabel,
  deleteLabel,
  getLabel,
  getLabelByTitle,
  updateLabel,
  updateLabelSubscription,
} from "./service.ts";
import { ownSourcesOf } from "./service-find.ts";
import { listLabels, visibleSourcesOf } from "./service-list.ts";
import { promoteLabel } from "./service-promote.ts";

type InPlace = { readonly group: GroupRecord } | { readonly project: ProjectRecord };

/** The operations on labels that projects and groups have in common (issues-labels-milestones-epics 2). */
function labelOperationsIn(kind: SourceRef["type"]): Operation[] {
  const isProject = kind === "project";
  const path = `/${kind}s/:id/labels`;
  const noun = `label of a ${kind}`;
  const entity: TSchema = isProject ? ProjectLabel : GroupLabel;
  const parameters = isProject ? projectLabelParameters : groupLabelParameters;
  const changes = ["new_name", "color", "description", ...(isProject ? ["priority"] : []), "archived"];
  const byIdOrName = exactlyOne("label_id", "name");
  const within = <A extends boolean = false>(
    level: AccessLevel,
    options: { anonymous?: A; late?: true; readers?: true } = {},
  ) => (isProject ? inProject(level, options) : inGroup(level, options));
  const managers = within(accessLevels.planner, { late: true });
  return [
    operation({
      method: "GET",
      path,
      summary: `List the labels of a ${kind}`,
      who: within(accessLevels.none, { anonymous: true, readers: true }),
      params: parameters.list,
      answer: pageOf(entity),
      handle(call) {
        const { context, caller, params, page } = call;
        const source = sourceOf(call);
        const counts = params.with_counts === true ? issueCounter(context, caller, source) : () => ({});
        return mapPage(listLabels(context, caller, source, params, page), (label) => ({
          ...present(label, call),
          ...counts(label),
        }));
      },
    }),

    operation({
      method: "GET",
      path: `${path}/:label_id`,
      summary: `Get a ${noun}`,
      who: within(accessLevels.none, { anonymous: true, readers: true }),
      params: parameters.one,
      answer: ok(entity),
      handle(call) {
        const { context, caller, params } = call;
        return present(getVisibleLabel(context, caller, call, params.label_id), call);
      },
    }),

    operation({
      method: "POST",
      path,
      summary: `Create a ${noun}`,
      who: within(accessLevels.planner),
      params: parameters.create,
      answer: created(entity),
      failures: ["conflict", "invalid"],
      handle(call) {
        requireUnarchived(call);
        return present(createLabel(call.context, call.caller, sourceOf(call), call.params), call);
      },
    }),

    operation({
      method: "PUT",
      path: `${path}/:label_id`,
      summary: `Update a ${noun}`,
      who: managers,
      params: parameters.update,
      rules: [atLeastOne(...changes)],
      answer: ok(entity),
      failures: ["conflict", "invalid"],
      handle(call) {
        const { context, caller, params } = call;
        const label = getOwnLabel(context, call, params);
        return present(updateLabel(context, caller, sourceOf(call), label, params), call);
      },
    }),

    operation({
      method: "PUT",
      path,
      summary: `Update a ${noun} named in the body`,
      who: managers,
      params: parameters.updateByName,
      rules: [byIdOrName, atLeastOne(...changes)],
      answer: ok(entity),
      failures: ["conflict", "invalid"],
      deprecated: true,
      handle(call) {
        const { context, caller, params } = call;
        const label = getOwnLabel(context, call, params);
        return present(updateLabel(context, caller, sourceOf(call), label, params), call);
      },
    }),

    operation({
      method: "DELETE",
      path: `${path}/:label_id`,
      summary: `Delete a ${noun}`,
      who: managers,
      params: parameters.one,
      answer: noContent(),
      handle({ context, caller, params, unmodifiedSince, ...place }) {
        const label = getOwnLabel(context, place, params);
        deleteLabel(context, caller, sourceOf(place), label, unmodifiedSince);
      },
    }),

    operation({
      method: "DELETE",
      path,
      summary: `Delete a ${noun} named in the body`,
      who: managers,
      params: parameters.deleteByName,
      rules: [byIdOrName],
      answer: noContent(),
      deprecated: true,
      handle({ context, caller, params, unmodifiedSince, ...place }) {
        const label = getOwnLabel(context, place, params);
        deleteLabel(context, caller, sourceOf(place), label, unmodifiedSince);
      },
    }),

    ...(["subscribe", "unsubscribe"] as const).map((act) =>
      operation({
        method: "POST",
        path: `${path}/:label_id/${act}`,
        summary: act === "subscribe" ? `Subscribe to a ${noun}` : `Unsubscribe from a ${noun}`,
        who: within(accessLevels.none, { readers: true }),
        params: parameters.one,
        answer: created(entity),
        failures: ["unchanged"],
        handle(call) {
          const { context, caller, params } = call;
          const label = getVisibleLabel(context, caller, call, params.label_id);
          updateLabelSubscription(context, caller, label, act === "subscribe");
          return present(label, call);
        },
      }),
    ),
  ];
}

export const labelOperations: readonly Operation[] = [
  ...labelOperationsIn("project"),
  ...labelOperationsIn("group"),

  operation({
    method: "PUT",
    path: "/projects/:id/labels/promote",
    summary: "Promote a project label to a group label",
    who: inProject(accessLevels.planner),
    params: PromoteLabel,
    answer: ok(GroupLabel),
    failures: ["not_found", "invalid"],
    handle(call) {
      const { context, caller, params, project } = call;
      requireUnarchived(call);
      return presentLabel(promoteLabel(context, caller, project, params.name), call);
    },
  }),

  operation({
    method: "PUT",
    path: "/projects/:id/labels/:label_id/promote",
    summary: "Promote a project label to a group label (older path)",
    who: inProject(accessLevels.planner),
    params: projectLabelParameters.one,
    answer: ok(GroupLabel),
    failures: ["invalid"],
    handle(call) {
      const { context, caller, params, project } = call;
      const { title } = getVisibleLabel(context, caller, call, params.label_id);
      requireUnarchived(call);
      return presentLabel(promoteLabel(context, caller, project, title), call);
    },
  }),
];

/** A label as the caller finds it in a project or group, those of the groups above included. */
function getVisibleLabel(context: Context, caller: Caller, place: InPlace, idOrTitle: string): LabelRecord {
  return getLabel(context.store, visibleSourcesOf(context, caller, sourceOf(place)), idOrTitle);
}

/**
 * A label to change or delete: one of the groups above is changed there. The old forms name it in the body. Throws 404,
 * and 403 in an archived project.
 */
function getOwnLabel(
  { store }: Context,
  place: InPlace,
  { label_id, name }: { readonly label_id?: number | string; readonly name?: string },
): LabelRecord {
  const sources = ownSourcesOf(store, sourceOf(place));
  const label =
    label_id === undefined ? getLabelByTitle(store, sources, name ?? "") : getLabel(store, sources, label_id);
  requireUnarchived(place);
  return label;
}

/** Adds the priority to labels of a project. */
function present(label: LabelRecord, call: View & InPlace) {
  return presentLabel(label, call, { projectId: "project" in call ? call.project.id : undefined });
}

function sourceOf(place: InPlace): SourceRef {
  return "project" in place ? { type: "project", id: place.project.id } : { type: "group", id: place.group.id };
}
