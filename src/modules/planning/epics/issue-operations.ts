import { accessLevels } from "../../../domain/access-level.ts";
import { mapPage, type Page } from "../../../domain/page.ts";
import { inGroup } from "../../core/access/index.ts";
import type { Context } from "../../kernel/context.ts";
import { created, ok, operation, pageOf } from "../../kernel/operation.ts";
import { presentListedIssue } from "../issues/index.ts";
import { type EpicIssueRecord, type EpicRecord, issues } from "../records/index.ts";
import { getEpic } from "./find.ts";
import { createEpicIssue, deleteEpicIssue, type Entry, listEpicIssues, updateEpicIssue } from "./issues.ts";
import { AddIssue, EpicInPath, LinkInPath, MoveIssue } from "./parameters.ts";
import { type EpicView, presentListedEpic } from "./present.ts";
import { EpicIssueLink, IssueOfEpic } from "./schema.ts";

/** issues-labels-milestones-epics 6: issues in epics. */
export const issueOperations = [
  operation({
    method: "GET",
    path: "/groups/:id/epics/:epic_iid/issues",
    summary: "List the issues of an epic",
    who: inGroup(accessLevels.none),
    tier: "premium",
    params: EpicInPath,
    answer: pageOf(IssueOfEpic),
    handle({ context, caller, group, params, page, baseUrl }) {
      const epic = getEpic(context, caller, group, params.epic_iid);
      return presentPage(context, listEpicIssues(context, caller, epic, page), { caller, group, baseUrl });
    },
  }),

  operation({
    method: "POST",
    path: "/groups/:id/epics/:epic_iid/issues/:epic_issue_id",
    summary: "Assign an issue to an epic",
    who: inGroup(accessLevels.planner),
    tier: "premium",
    params: AddIssue,
    answer: created(EpicIssueLink),
    handle({ context, caller, group, params, baseUrl }) {
      const epic = getEpic(context, caller, group, params.epic_iid);
      return presentEntry(context, epic, createEpicIssue(context, caller, epic, params.epic_issue_id), {
        caller,
        group,
        baseUrl,
      });
    },
  }),

  operation({
    method: "PUT",
    path: "/groups/:id/epics/:epic_iid/issues/:epic_issue_id",
    summary: "Update the position of an issue in an epic",
    who: inGroup(accessLevels.planner),
    tier: "premium",
    params: MoveIssue,
    answer: pageOf(IssueOfEpic),
    handle({ context, caller, group, params, page, baseUrl }) {
      const epic = getEpic(context, caller, group, params.epic_iid);
      updateEpicIssue(context, caller, epic, params.epic_issue_id, params);
      return presentPage(context, listEpicIssues(context, caller, epic, page), { caller, group, baseUrl });
    },
  }),

  operation({
    method: "DELETE",
    path: "/groups/:id/epics/:epic_iid/issues/:epic_issue_id",
    summary: "Remove an issue from an epic",
    who: inGroup(accessLevels.planner),
    tier: "premium",
    params: LinkInPath,
    answer: ok(EpicIssueLink),
    handle({ context, caller, group, params, baseUrl }) {
      const epic = getEpic(context, caller, group, params.epic_iid);
      const entry = deleteEpicIssue(context, caller, epic, params.epic_issue_id);
      return presentEntry(context, epic, entry, { caller, group, baseUrl });
    },
  }),
];

function presentPage(context: Context, page: Page<EpicIssueRecord>, { caller, group, baseUrl }: EpicView) {
  return mapPage(page, ({ id, issue_id, relative_position }) => {
    const issue = context.store.of(issues).get(issue_id);
    if (issue === undefined) throw new Error(`link ${id} is of no issue`);
    return {
      ...presentListedIssue(context, caller, issue, baseUrl, { relativeTo: group }),
      epic_issue_id: id,
      relative_position,
    };
  });
}

function presentEntry(context: Context, epic: EpicRecord, { link, issue }: Entry, view: EpicView) {
  return {
    id: link.id,
    epic: presentListedEpic(context, epic, view),
    issue: presentListedIssue(context, view.caller, issue, view.baseUrl),
    relative_position: link.relative_position,
  };
}
