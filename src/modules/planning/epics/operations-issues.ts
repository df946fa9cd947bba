import { accessLevels } from "../../../domain/access-level.ts";
import { mapPage, type Page } from "../../../domain/page.ts";
import { inGroup } from "../../core/access/index.ts";
import type { GroupRecord } from "../../groups-and-projects/groups/records.ts";
import { created, ok, operation, pageOf } from "../../kernel/operation.ts";
import type { View } from "../../kernel/view.ts";
import { presentListedIssue } from "../issues/index.ts";
import { issues } from "../issues/records.ts";
import { type EpicOptions, presentListedEpic } from "./present.ts";
import type { EpicIssueRecord, EpicRecord } from "./records.ts";
import { EpicIssueLink, IssueOfEpic } from "./schema.ts";
import { AddIssue, EpicInPath, LinkInPath, MoveIssue } from "./schema-parameters.ts";
import { getEpic } from "./service-find.ts";
import { createEpicIssue, deleteEpicIssue, type Entry, listEpicIssues, updateEpicIssue } from "./service-issues.ts";

/** issues-labels-milestones-epics 6: issues in epics. */
export const issueOperations = [
  operation({
    method: "GET",
    path: "/groups/:id/epics/:epic_iid/issues",
    summary: "List the issues of an epic",
    who: inGroup(accessLevels.none, { readers: true }),
    tier: "premium",
    params: EpicInPath,
    answer: pageOf(IssueOfEpic),
    handle(call) {
      const { context, caller, group, params, page } = call;
      const epic = getEpic(context, caller, group, params.epic_iid);
      return presentPage(listEpicIssues(context, caller, epic, page), call, { group });
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
    handle(call) {
      const { context, caller, group, params } = call;
      const epic = getEpic(context, caller, group, params.epic_iid);
      return presentEntry(createEpicIssue(context, caller, epic, params.epic_issue_id), call, { epic, group });
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
    handle(call) {
      const { context, caller, group, params, page } = call;
      const epic = getEpic(context, caller, group, params.epic_iid);
      updateEpicIssue(context, caller, epic, params.epic_issue_id, params);
      return presentPage(listEpicIssues(context, caller, epic, page), call, { group });
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
    handle(call) {
      const { context, caller, group, params } = call;
      const epic = getEpic(context, caller, group, params.epic_iid);
      const entry = deleteEpicIssue(context, caller, epic, params.epic_issue_id);
      return presentEntry(entry, call, { epic, group });
    },
  }),
];

function presentPage(page: Page<EpicIssueRecord>, view: View, options: EpicOptions) {
  return mapPage(page, ({ id, issue_id, relative_position }) => {
    const issue = view.context.store.of(issues).get(issue_id);
    if (issue === undefined) throw new Error(`link ${id} is of no issue`);
    return {
      ...presentListedIssue(issue, view, { relativeTo: options.group }),
      epic_issue_id: id,
      relative_position,
    };
  });
}

function presentEntry(
  { link, issue }: Entry,
  view: View,
  { epic, group }: { readonly epic: EpicRecord; readonly group: GroupRecord },
) {
  return {
    id: link.id,
    epic: presentListedEpic(epic, view, { group }),
    issue: presentListedIssue(issue, view),
    relative_position: link.relative_position,
  };
}
