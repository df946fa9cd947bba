import { type AccessLevel, accessLevels } from "../../../domain/access-level.ts";
import type { Caller } from "../../../domain/caller.ts";
import { mapPage } from "../../../domain/page.ts";
import { atLeastOne, mutuallyExclusive } from "../../../domain/parameters.ts";
import type { SourceRef } from "../../../domain/source.ts";
import { inGroup, inProject, requireLevel, requireUnarchived } from "../../core/access/index.ts";
import type { GroupRecord } from "../../groups-and-projects/groups/records.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { created, noContent, type Operation, ok, operation, pageOf } from "../../kernel/operation.ts";
import { presentMilestone } from "./present.ts";
import { changeable, groupMilestoneParameters, Milestone, projectMilestoneParameters } from "./schema.ts";
import { createMilestone, deleteMilestone, getMilestone, updateMilestone } from "./service.ts";
import { listMilestones } from "./service-list.ts";
import { promoteMilestone } from "./service-promote.ts";

type InPlace = { readonly group: GroupRecord } | { readonly project: ProjectRecord };

/** The operations on milestones that projects and groups have in common (issues-labels-milestones-epics 3). */
function milestoneOperationsIn(kind: SourceRef["type"]): Operation[] {
  const isProject = kind === "project";
  const path = `/${kind}s/:id/milestones`;
  const noun = `milestone of a ${kind}`;
  const parameters = isProject ? projectMilestoneParameters : groupMilestoneParameters;
  const within = (level: AccessLevel) =>
    isProject ? inProject(level, { readers: true }) : inGroup(level, { readers: true });
  const managers = () =>
    isProject ? inProject(accessLevels.planner, { late: true }) : inGroup(accessLevels.planner, { late: true });
  return [
    operation({
      method: "GET",
      path,
      summary: `List the milestones of a ${kind}`,
      who: within(accessLevels.none),
      params: parameters.list,
      rules: [mutuallyExclusive("include_ancestors", "include_parent_milestones")],
      answer: pageOf(Milestone),
      handle: (call) => {
        const { context, caller, params, page, ...place } = call;
        return mapPage(listMilestones(context, caller, sourceOf(place), params, page), (milestone) =>
          presentMilestone(milestone, call),
        );
      },
    }),

    operation({
      method: "GET",
      path: `${path}/:milestone_id`,
      summary: `Get a ${noun}`,
      who: within(accessLevels.none),
      params: parameters.one,
      answer: ok(Milestone),
      handle: (call) => {
        const { context, params, ...place } = call;
        return presentMilestone(getMilestone(context.store, sourceOf(place), params.milestone_id), call);
      },
    }),

    operation({
      method: "POST",
      path,
      summary: `Create a ${noun}`,
      who: within(accessLevels.planner),
      params: parameters.create,
      answer: created(Milestone),
      failures: ["invalid"],
      handle(call) {
        const { context, caller, params, ...place } = call;
        requireUnarchived(place);
        return presentMilestone(createMilestone(context, caller, sourceOf(place), params), call);
      },
    }),

    operation({
      method: "PUT",
      path: `${path}/:milestone_id`,
      summary: `Update a ${noun}`,
      who: managers(),
      params: parameters.update,
      rules: [atLeastOne(...changeable)],
      answer: ok(Milestone),
      failures: ["invalid"],
      handle(call) {
        const { context, caller, params, ...place } = call;
        const milestone = getMilestone(context.store, sourceOf(place), params.milestone_id);
        requireManager(context, caller, place);
        return presentMilestone(updateMilestone(context, caller, milestone, params), call);
      },
    }),

    operation({
      method: "DELETE",
      path: `${path}/:milestone_id`,
      summary: `Delete a ${noun}`,
      who: managers(),
      params: parameters.one,
      answer: noContent(),
      handle({ context, caller, params, unmodifiedSince, ...place }) {
        const milestone = getMilestone(context.store, sourceOf(place), params.milestone_id);
        requireManager(context, caller, place);
        deleteMilestone(context, caller, milestone, unmodifiedSince);
      },
    }),
  ];
}

export const milestoneOperations: readonly Operation[] = [
  ...milestoneOperationsIn("project"),
  ...milestoneOperationsIn("group"),

  operation({
    method: "POST",
    path: "/projects/:id/milestones/:milestone_id/promote",
    summary: "Promote a project milestone to a group milestone",
    who: inProject(accessLevels.planner, { late: true }),
    params: projectMilestoneParameters.one,
    answer: ok(Milestone),
    failures: ["invalid"],
    handle(call) {
      const { context, caller, params, project } = call;
      const milestone = getMilestone(context.store, { type: "project", id: project.id }, params.milestone_id);
      requireManager(context, caller, { project });
      return presentMilestone(promoteMilestone(context, caller, project, milestone), call);
    },
  }),
];

/** Throws 403. */
function requireManager(context: Context, caller: Caller, place: InPlace): void {
  requireLevel(context, caller, place, accessLevels.planner);
  requireUnarchived(place);
}

function sourceOf(place: InPlace): SourceRef {
  return "project" in place ? { type: "project", id: place.project.id } : { type: "group", id: place.group.id };
}
