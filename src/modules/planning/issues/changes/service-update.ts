import type { Static } from "@sinclair/typebox";
import type { SignedInCaller } from "../../../../domain/caller.ts";
import type { Transaction } from "../../../../store/index.ts";
import { getProject } from "../../../core/access/index.ts";
import { type Clearance, getSpamClearance, type Submission } from "../../../core/spam/index.ts";
import type { UserRecord } from "../../../core/users/records.ts";
import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import type { QuickActionUpdates } from "../../quick-actions/index.ts";
import { ReadableIssues } from "../../readable-issues/index.ts";
import { canPlan, canSetHistory, requireUpdateRight } from "../policy.ts";
import { interpretIssueText, withUpdates, writeOtherUpdates } from "../quick-actions/index.ts";
import type { IssueRecord, Severity } from "../records.ts";
import type { UpdateIssue } from "../schema-parameters.ts";
import { getIssue, getReadableIssue } from "../service-find.ts";
import { epicOf, resolveMetadata } from "./metadata.ts";
import { stateAfter, writeIssue } from "./service-write.ts";
import { submissionOf } from "./spam.ts";
import { requireValidTexts } from "./validation.ts";

type Parameters = Static<typeof UpdateIssue>;

/**
 * `PUT /projects/:id/issues/:issue_iid` (issues-labels-milestones-epics 1.4). Attributes that the caller may not set
 * are ignored. Throws 404 for an unknown number and a hidden issue, 403, 400 for broken rules of the model, 404 for a
 * hidden epic; then what `getSpamClearance` throws.
 */
export async function updateIssue(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  params: Parameters,
): Promise<IssueRecord> {
  let place = project;
  let judged: Submission | undefined;
  let cleared: Clearance | undefined;
  for (;;) {
    const submission = requireValidUpdate(context, caller, place, params);
    // Another request may change the issue while its text is judged, so that another text would be shown.
    if (submission === undefined || Bun.deepEquals(submission, judged)) break;
    cleared = await getSpamClearance(context, caller, submission);
    judged = submission;
    place = getProject(context, caller, project.id);
  }
  return writeUpdate(context, caller, place, params, cleared);
}

/** Throws the errors that need no waiting, and returns the text for the spam check. */
function requireValidUpdate(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  params: Parameters,
): Submission | undefined {
  const issue = getReadableIssue(context, caller, project, params.issue_iid);
  requireUpdateRight(context, caller, project, issue);
  const { confidential = issue.confidential } = canPlan(context, caller, project) ? params : {};
  const { described, updates } = describe(context, caller, project, { ...issue, ...writingOf(params) }, params);
  const after = {
    ...described,
    confidential: updates.confidential ?? confidential,
    title: updates.title ?? described.title,
  };
  requireValidTexts(after);
  if (canPlan(context, caller, project)) epicOf(context, caller, project, params, issue.epic_id);
  return submissionOf(project, issue, after);
}

function writeUpdate(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  params: Parameters,
  cleared: Clearance | undefined,
): IssueRecord {
  return context.store.transact((tx) => {
    cleared?.(tx);
    const before = getIssue(context, project, params.issue_iid);
    const { described, updates } = describe(context, caller, project, { ...before, ...writingOf(params) }, params);
    const changed: IssueRecord = {
      ...described,
      ...stateAfter(context, caller, before, params.state_event),
      ...(canPlan(context, caller, project) ? plannedBy(tx, context, caller, project, before, params) : {}),
    };
    const updated_at = canSetHistory(context, caller, project) ? params.updated_at : undefined;
    const acted = withUpdates(context, caller, changed, updates);
    const written = writeIssue(tx, context, caller, before, acted, { updated_at });
    return writeOtherUpdates(tx, context, caller, written, updates);
  });
}

/** The issue with its new description, without the quick actions in it, and what these ask for. */
function describe(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  issue: IssueRecord,
  { description }: Parameters,
): { readonly described: IssueRecord; readonly updates: QuickActionUpdates } {
  if (description == null) return { described: issue, updates: {} };
  const { text, updates } = interpretIssueText(context, caller, project, issue, description);
  return { described: { ...issue, description: text }, updates };
}

/** The attributes that authors and assignees may change too; null as a title is a blank one. */
function writingOf({ title, description }: Parameters): Partial<Pick<IssueRecord, "title" | "description">> {
  return {
    ...(title === undefined ? {} : { title: (title ?? "").trim() }),
    ...(description === undefined ? {} : { description }),
  };
}

/** The attributes of an existing issue that planners and above may change. */
function plannedBy(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  issue: IssueRecord,
  params: Parameters,
): Partial<IssueRecord> {
  const { confidential = issue.confidential, issue_type, severity, discussion_locked } = params;
  const mayBeAssigned = (user: UserRecord) => context.get(ReadableIssues).has(user, { ...issue, confidential });
  const epicId = epicOf(context, caller, project, params, issue.epic_id);
  return {
    confidential,
    ...resolveMetadata(tx, context, caller, project, issue, params, mayBeAssigned),
    ...(epicId === undefined ? {} : { epic_id: epicId }),
    ...(issue_type === undefined ? {} : { issue_type }),
    ...(severity === undefined ? {} : { severity: severity.toLowerCase() as Severity }),
    ...(discussion_locked === undefined ? {} : { discussion_locked }),
  };
}
