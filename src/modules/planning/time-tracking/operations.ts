import { type TProperties, Type } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import type { Caller, SignedInCaller } from "../../../domain/caller.ts";
import { text } from "../../../domain/parameters.ts";
import { inProject } from "../../core/access/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { created, type Operation, ok, operation } from "../../kernel/operation.ts";
import { presentTimeStats } from "./present.ts";
import { TimeStats } from "./schema.ts";
import { addSpentTime, resetTime, type Tracked, updateEstimate, type WriteTracked } from "./service.ts";

/** A type of things whose time is tracked. */
export interface TimeTracking<T extends Tracked> {
  /** `an issue`, in summaries. */
  readonly noun: string;
  /** `/projects/:id/issues/:issue_iid` */
  readonly path: string;
  readonly inPath: TProperties;
  /** The thing of the path. Throws for one that the caller may not read. */
  get(context: Context, caller: Caller, project: ProjectRecord, params: object): T;
  /** Throws 403 for a caller who may track no time on it. */
  requireTracker(context: Context, caller: SignedInCaller, project: ProjectRecord): void;
  readonly write: WriteTracked<T>;
}

/** issues-labels-milestones-epics 1.2, "time tracking". */
export function operationsOnTimeOf<T extends Tracked>(tracking: TimeTracking<T>): Operation[] {
  const { noun, path, inPath, write } = tracking;
  const InPath = Type.Object(inPath);
  const duration = text({ description: "such as `3h30m` or `1w 2d`; a negative one subtracts" });
  return [
    ...(
      [
        ["time_estimate", `Set the time estimate of ${noun}`, ok(TimeStats), updateEstimate<T>],
        ["add_spent_time", `Add spent time to ${noun}`, created(TimeStats), addSpentTime<T>],
      ] as const
    ).map(([name, summary, answer, act]) =>
      operation({
        method: "POST",
        path: `${path}/${name}`,
        summary,
        who: inProject(accessLevels.none),
        params: Type.Object({ ...inPath, duration }),
        answer,
        failures: ["forbidden", "invalid"],
        handle({ context, caller, project, params }) {
          const thing = tracking.get(context, caller, project, params);
          tracking.requireTracker(context, caller, project);
          const { duration: written } = params as { readonly duration: string };
          return presentTimeStats(act(context, caller, thing, written, write));
        },
      }),
    ),

    ...(
      [
        ["reset_time_estimate", `Reset the time estimate of ${noun}`, "time_estimate"],
        ["reset_spent_time", `Reset the spent time of ${noun}`, "total_time_spent"],
      ] as const
    ).map(([name, summary, what]) =>
      operation({
        method: "POST",
        path: `${path}/${name}`,
        summary,
        who: inProject(accessLevels.none),
        params: InPath,
        answer: ok(TimeStats),
        failures: ["forbidden"],
        handle({ context, caller, project, params }) {
          const thing = tracking.get(context, caller, project, params);
          tracking.requireTracker(context, caller, project);
          return presentTimeStats(resetTime(context, caller, thing, what, write));
        },
      }),
    ),

    operation({
      method: "GET",
      path: `${path}/time_stats`,
      summary: `Get the time tracking statistics of ${noun}`,
      who: inProject(accessLevels.none, { anonymous: true }),
      params: InPath,
      answer: ok(TimeStats),
      handle: ({ context, caller, project, params }) =>
        presentTimeStats(tracking.get(context, caller, project, params)),
    }),
  ];
}
