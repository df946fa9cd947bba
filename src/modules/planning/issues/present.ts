import type { Static } from "@sinclair/typebox";
import { includesTier } from "../../../domain/edition.ts";
import { spend } from "../../../domain/work-budget.ts";
import { canReadEpic } from "../../core/access/index.ts";
import { fullPathOf, projectPathOf } from "../../core/namespaces/index.ts";
import { getUser, presentBasicUser } from "../../core/users/index.ts";
import { type ProjectRecord, projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import type { View } from "../../kernel/view.ts";
import { epics } from "../epics/records.ts";
import { countTasks, type RelativeTo, referencesTo } from "../issuables/index.ts";
import { presentLabelDetails } from "../labels/index.ts";
import { labels } from "../labels/records.ts";
import { presentMilestone } from "../milestones/index.ts";
import { milestones } from "../milestones/records.ts";
import { remainingIds } from "../pending-unlinks/index.ts";
import { ReadableIssues } from "../readable-issues/index.ts";
import { presentTimeStats } from "../time-tracking/index.ts";
import { type IssueRecord, issues } from "./records.ts";
import type { Issue, ListedIssue } from "./schema.ts";
import { isSubscribed } from "./service-subscriptions.ts";

/** The steps of a label that is sorted among the others and shown. */
const labelSteps = 100;

/** The choices for presenting an issue. */
export interface IssueOptions {
  /** Labels are objects. */
  readonly withLabelsDetails?: boolean | undefined;
  readonly relativeTo?: RelativeTo;
}

/** A single issue (issues-labels-milestones-epics 1.5). */
export function presentIssue(issue: IssueRecord, view: View): Static<typeof Issue> {
  const { context, caller } = view;
  const subscribed = caller.user !== undefined && isSubscribed(context.store, issue, caller.user.id);
  return { ...presentListedIssue(issue, view), subscribed };
}

function taskStatusOf({ count, completed_count }: NonNullable<IssueRecord["task_completion"]>): string {
  return `${completed_count} of ${count} checklist ${count === 1 ? "item" : "items"} completed`;
}

/** An entry of a list (1.3): all but `subscribed`. */
export function presentListedIssue(
  issue: IssueRecord,
  view: View,
  { withLabelsDetails = false, relativeTo }: IssueOptions = {},
): Static<typeof ListedIssue> {
  const { context } = view;
  const { store, edition } = context;
  const person = (id: number) => presentBasicUser(getUser(store, id), view);
  const assignees = issue.assignee_ids.map(person);
  const tasks = issue.task_completion ?? countTasks(issue.description);
  const { closed_by_id } = issue;
  const [milestoneId] = issue.milestone_id === null ? [] : remainingIds(store, "milestone", [issue.milestone_id]);
  const milestone = milestoneId === undefined ? undefined : store.of(milestones).get(milestoneId);
  return {
    id: issue.id,
    iid: issue.iid,
    project_id: issue.project_id,
    title: issue.title,
    description: issue.description,
    state: issue.state,
    created_at: issue.created_at,
    updated_at: issue.updated_at,
    closed_at: issue.closed_at,
    closed_by: closed_by_id === null ? null : person(closed_by_id),
    labels: presentLabels(issue, view, { withDetails: withLabelsDetails }),
    milestone: milestone === undefined ? null : presentMilestone(milestone, view),
    assignees,
    author: person(issue.author_id),
    type: issue.issue_type.toUpperCase(),
    assignee: assignees[0] ?? null,
    user_notes_count: issue.user_notes_count,
    merge_requests_count: 0,
    upvotes: issue.upvotes,
    downvotes: issue.downvotes,
    due_date: issue.due_date,
    start_date: issue.start_date,
    confidential: issue.confidential,
    discussion_locked: issue.discussion_locked,
    issue_type: issue.issue_type,
    time_stats: presentTimeStats(issue),
    task_completion_status: tasks,
    has_tasks: tasks.count > 0,
    ...(tasks.count > 0 ? { task_status: taskStatusOf(tasks) } : {}),
    ...(includesTier(edition, "premium") ? { weight: issue.weight, ...presentEpic(issue, view), iteration: null } : {}),
    ...(includesTier(edition, "ultimate") ? { health_status: issue.health_status ?? null } : {}),
    blocking_issues_count: 0,
    ...presentPlace(issue, view, relativeTo),
    severity: issue.severity.toUpperCase(),
    moved_to_id: issue.moved_to_id,
    imported: false,
    imported_from: "none",
    service_desk_reply_to: null,
  };
}

/** Labels of an issue or epic by name, whatever its case: their names, or objects. */
export function presentLabels(
  { label_ids }: Pick<IssueRecord, "label_ids">,
  { context: { store } }: View,
  { withDetails }: { readonly withDetails: boolean },
) {
  const ids = remainingIds(store, "label", label_ids);
  spend(ids.length * labelSteps);
  const found = ids
    .map((id) => store.of(labels).get(id))
    .filter((label) => label !== undefined)
    .map((label) => ({ label, key: label.title.toLowerCase() }))
    .sort((one, other) => compare(one.key, other.key) || compare(one.label.title, other.label.title));
  return withDetails ? found.map(({ label }) => presentLabelDetails(label)) : found.map(({ label }) => label.title);
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** An epic that is hidden from the caller is none. */
function presentEpic({ epic_id }: IssueRecord, { context, caller: { user } }: View) {
  const { store } = context;
  const epic = epic_id === null ? undefined : store.of(epics).get(epic_id);
  if (epic === undefined || !canReadEpic(context, user, epic)) return { epic_iid: null, epic: null };
  const { id, iid, title, group_id } = epic;
  return {
    epic_iid: iid,
    epic: { id, iid, title, url: `/groups/${fullPathOf(store, group_id)}/-/epics/${iid}`, group_id },
  };
}

function presentPlace(issue: IssueRecord, { context, caller, baseUrl }: View, relativeTo: IssueOptions["relativeTo"]) {
  const { store } = context;
  const original = issue.duplicated_to_id ? store.of(issues).get(issue.duplicated_to_id) : undefined;
  const duplicated = original && context.get(ReadableIssues).has(caller.user, original) ? original : undefined;
  const project = getProjectOf(store, issue);
  const path = projectPathOf(store, project);
  const api = `${baseUrl}/api/v4/projects/${issue.project_id}`;
  return {
    web_url: `${baseUrl}/${path}/-/issues/${issue.iid}`,
    _links: {
      self: `${api}/issues/${issue.iid}`,
      notes: `${api}/issues/${issue.iid}/notes`,
      award_emoji: `${api}/issues/${issue.iid}/award_emoji`,
      project: api,
      closed_as_duplicate_of:
        duplicated === undefined
          ? null
          : `${baseUrl}/api/v4/projects/${duplicated.project_id}/issues/${duplicated.iid}`,
    },
    references: referencesTo(store, project, `#${issue.iid}`, relativeTo),
  };
}

function getProjectOf(store: Context["store"], issue: IssueRecord): ProjectRecord {
  const project = store.of(projects).get(issue.project_id);
  if (project === undefined) throw new Error(`issue ${issue.id} is nowhere`);
  return project;
}
