import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../../domain/access-level.ts";
import { text } from "../../../../domain/parameters.ts";
import { inProject } from "../../../core/access/index.ts";
import { created, ok, operation } from "../../../kernel/operation.ts";
import { requirePlanner } from "../policy.ts";
import { presentTimeStats } from "../present.ts";
import { TimeStats } from "../schema.ts";
import { IssueInPath } from "../schema-parameters.ts";
import { getReadableIssue } from "../service-find.ts";
import { addSpentTime, resetTime, updateEstimate } from "./service.ts";

const WithDuration = Type.Object({
  ...IssueInPath.properties,
  duration: text({ description: "such as `3h30m` or `1w 2d`; a negative one subtracts" }),
});

/** issues-labels-milestones-epics 1.2, "time tracking". */
export const timeOperations = [
  ...(
    [
      ["time_estimate", "Set the time estimate of an issue", ok(TimeStats), updateEstimate],
      ["add_spent_time", "Add spent time to an issue", created(TimeStats), addSpentTime],
    ] as const
  ).map(([name, summary, answer, act]) =>
    operation({
      method: "POST",
      path: `/projects/:id/issues/:issue_iid/${name}`,
      summary,
      who: inProject(accessLevels.none),
      params: WithDuration,
      answer,
      failures: ["forbidden", "invalid"],
      handle({ context, caller, project, params }) {
        const issue = getReadableIssue(context, caller, project, params.issue_iid);
        requirePlanner(context, caller, project);
        return presentTimeStats(act(context, caller, issue, params.duration));
      },
    }),
  ),

  ...(
    [
      ["reset_time_estimate", "Reset the time estimate of an issue", "time_estimate"],
      ["reset_spent_time", "Reset the spent time of an issue", "total_time_spent"],
    ] as const
  ).map(([name, summary, what]) =>
    operation({
      method: "POST",
      path: `/projects/:id/issues/:issue_iid/${name}`,
      summary,
      who: inProject(accessLevels.none),
      params: IssueInPath,
      answer: ok(TimeStats),
      failures: ["forbidden"],
      handle({ context, caller, project, params }) {
        const issue = getReadableIssue(context, caller, project, params.issue_iid);
        requirePlanner(context, caller, project);
        return presentTimeStats(resetTime(context, caller, issue, what));
      },
    }),
  ),

  operation({
    method: "GET",
    path: "/projects/:id/issues/:issue_iid/time_stats",
    summary: "Get the time tracking statistics of an issue",
    who: inProject(accessLevels.none, { anonymous: true }),
    params: IssueInPath,
    answer: ok(TimeStats),
    handle({ context, caller, project, params }) {
      return presentTimeStats(getReadableIssue(context, caller, project, params.issue_iid));
    },
  }),
];
