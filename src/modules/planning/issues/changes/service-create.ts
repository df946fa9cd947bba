import type { Static } from "@sinclair/typebox";
import type { SignedInCaller } from "../../../../domain/caller.ts";
import { conflict } from "../../../../domain/failure.ts";
import { toDateTime } from "../../../../lib/datetime.ts";
import type { Transaction } from "../../../../store/index.ts";
import { Access, getProject } from "../../../core/access/index.ts";
import { type Clearance, getSpamClearance } from "../../../core/spam/index.ts";
import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { publish } from "../../../kernel/event.ts";
import { countTasks } from "../../issuables/index.ts";
import type { QuickActionUpdates } from "../../quick-actions/index.ts";
import { upsertSubscription } from "../../subscriptions/index.ts";
import { issueEvents } from "../events.ts";
import { canSetHistory, canSetMetadataOfNewIssue, requireIssueCreator } from "../policy.ts";
import { idOfNew, interpretIssueText, withUpdates, writeOtherUpdates } from "../quick-actions/index.ts";
import { type IssueRecord, iidKey, issues, type Severity } from "../records.ts";
import type { CreateIssue } from "../schema-parameters.ts";
import { issueRef } from "../service-subscriptions.ts";
import { epicOf, type IssueMetadata, resolveMetadata } from "./metadata.ts";
import { insertEpicLink } from "./service-epic-links.ts";
import { iidSequence } from "./service-write.ts";
import { submissionOf } from "./spam.ts";
import { requireValidTexts } from "./validation.ts";

type Parameters = Static<typeof CreateIssue>;

/**
 * `POST /projects/:id/issues` (issues-labels-milestones-epics 1.4). Throws 403 where no issues can be made, 400 for
 * broken rules of the model, 404 for a hidden epic, 409 for a number that is taken; then what `getSpamClearance` throws.
 */
export async function createIssue(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  params: Parameters,
): Promise<IssueRecord> {
  requireValidNewIssue(context, caller, project, params);
  const { draft, updates } = draftIssue(context, caller, project, params);
  const { confidential = draft.confidential } = updates;
  const submission = submissionOf(project, undefined, { ...draft, confidential });
  if (submission === undefined) return createCheckedIssue(context, caller, project, params);
  const cleared = await getSpamClearance(context, caller, submission);
  const projectNow = getProject(context, caller, project.id);
  requireValidNewIssue(context, caller, projectNow, params);
  return createCheckedIssue(context, caller, projectNow, params, cleared);
}

/** Throws the errors that need no waiting for the spam check. */
function requireValidNewIssue(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  params: Parameters,
): void {
  requireIssueCreator(context, caller, project);
  requireValidTexts({ title: params.title.trim(), description: params.description ?? null });
  if (canSetMetadataOfNewIssue(context, caller, project)) epicOf(context, caller, project, params, null);
  const isTaken =
    params.iid !== undefined && context.store.of(issues).by.iid.find(iidKey(project.id, params.iid)) !== undefined;
  if (isTaken && canSetHistory(context, caller, project)) throw conflict("Duplicated issue");
}

function createCheckedIssue(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  params: Parameters,
  cleared?: Clearance,
): IssueRecord {
  const access = context.get(Access);
  return context.store.transact((tx) => {
    cleared?.(tx);
    const hasMetadata = canSetMetadataOfNewIssue(context, caller, project);
    const metadata: IssueMetadata = hasMetadata
      ? resolveMetadata(tx, context, caller, project, { label_ids: [] }, params, (user) =>
          access.canSeeProject(user, project),
        )
      : {};
    const epicId = hasMetadata ? epicOf(context, caller, project, params, null) : undefined;
    const { history, iid } = historyOf(tx, context, caller, project, params);
    const { draft, updates } = draftIssue(context, caller, project, params);
    const filed = {
      ...draft,
      id: tx.nextId("issues"),
      iid,
      discussion_locked: (hasMetadata ? params.discussion_locked : null) ?? null,
      ...(history === undefined ? {} : { created_at: history, updated_at: history }),
      ...metadata,
    };
    const issue = insertCheckedIssue(tx, context, caller, withUpdates(context, caller, filed, updates), epicId);
    return writeOtherUpdates(tx, context, caller, issue, updates);
  });
}

/** The new issue without its number and metadata, and what the quick actions of its description ask for. */
function draftIssue(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  { title, description = null, confidential = false, issue_type = "issue", severity = "unknown" }: Parameters,
): { readonly draft: IssueRecord; readonly updates: QuickActionUpdates } {
  const now = toDateTime(context.clock.now());
  const draft: IssueRecord = {
    ...emptyIssue,
    id: idOfNew,
    iid: idOfNew,
    project_id: project.id,
    title: title.trim(),
    description,
    author_id: caller.user.id,
    confidential,
    issue_type,
    severity: severity.toLowerCase() as Severity,
    discussion_locked: null,
    created_at: now,
    updated_at: now,
  };
  if (description === null) return { draft, updates: {} };
  const { text, updates } = interpretIssueText(context, caller, project, draft, description);
  return { draft: { ...draft, description: text }, updates };
}

/** The texts and kind of an issue that is made along with another record. */
type Written = Pick<IssueRecord, "title" | "description" | "issue_type" | "severity">;

/**
 * Creates an issue in the transaction of another record: an incident of an alert. `write` gets its number. The caller has
 * checked that the project may have issues.
 */
export function insertIssue(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  write: (iid: number) => Written,
): IssueRecord {
  const now = toDateTime(context.clock.now());
  const iid = tx.nextId(iidSequence(project.id));
  return insertCheckedIssue(tx, context, caller, {
    ...emptyIssue,
    ...write(iid),
    id: tx.nextId("issues"),
    iid,
    project_id: project.id,
    author_id: caller.user.id,
    confidential: false,
    discussion_locked: null,
    created_at: now,
    updated_at: now,
  });
}

function insertCheckedIssue(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  written: IssueRecord,
  epicId?: number | null,
): IssueRecord {
  const { store } = context;
  const issue = tx.insert(issues, { ...written, task_completion: countTasks(written.description) });
  if (epicId) insertEpicLink(tx, store, issue, epicId);
  upsertSubscription(tx, store, issueRef(issue), caller.user.id, true);
  const made = store.of(issues).get(issue.id) ?? issue;
  publish(tx, context, issueEvents.created, { caller, before: undefined, after: made });
  return made;
}

/** Returns creation time and number: those that owners sent, else now and the next one. */
function historyOf(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  { created_at, iid }: Parameters,
): { history: string | undefined; iid: number } {
  const isHeard = canSetHistory(context, caller, project);
  const history = isHeard ? created_at : undefined;
  if (!isHeard || iid === undefined) return { history, iid: tx.nextId(iidSequence(project.id)) };
  tx.advanceSequence(iidSequence(project.id), iid);
  return { history, iid };
}

/** The attributes of an issue for which the caller gave no value. */
export const emptyIssue = {
  state: "opened",
  assignee_ids: [],
  label_ids: [],
  milestone_id: null,
  epic_id: null,
  weight: null,
  due_date: null,
  start_date: null,
  closed_at: null,
  closed_by_id: null,
  moved_to_id: null,
  time_estimate: 0,
  total_time_spent: 0,
  user_notes_count: 0,
  upvotes: 0,
  downvotes: 0,
} as const satisfies Partial<IssueRecord>;
