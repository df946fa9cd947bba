import type { Store, Transaction } from "../../../store/index.ts";
import { findUser } from "../../core/users/index.ts";
import { Noteables } from "../../discussions/noteables/index.ts";
import {
  addedAndRemoved,
  differenceOf,
  insertSystemNote,
  type NotedState,
  recordMentions,
  textsOfChange,
} from "../../discussions/system-notes/index.ts";
import type { Context } from "../../kernel/context.ts";
import type { MergeRequestSaved } from "../merge-requests/index.ts";
import { isDraftTitle, type MergeRequestRecord, withoutDraftMark } from "../merge-requests/records.ts";

/** Notes what changed on a merge request, and on issues that its new texts name. */
export function recordMergeRequestSave(tx: Transaction, context: Context, change: MergeRequestSaved): void {
  const { caller, before, after } = change;
  const { store, clock } = context;
  const subject = { type: "MergeRequest", id: after.id };
  for (const body of textsOf(store, change, clock.now())) {
    insertSystemNote(tx, { subject, author_id: caller.user.id, body, created_at: after.updated_at });
  }
  const isRewritten = before?.title !== after.title || before?.description !== after.description;
  const target = isRewritten ? context.get(Noteables).findTarget(subject) : undefined;
  if (target !== undefined) recordMentions(tx, context, caller, target, [after.title, after.description]);
}

function textsOf(store: Store, { caller, before, after, spent, pushed }: MergeRequestSaved, now: number): string[] {
  const common = {
    noun: "merge request",
    before: before && notedState(before, after),
    after: notedState(after),
    spent,
  };
  const added = pushed === undefined || pushed.commits.length === 0 ? [] : [pushText(pushed.commits)];
  return [...added, ...textsOfChange(store, common, now), ...ownTexts(store, caller.user.id, before, after)];
}

/** The attributes that issues have too; a title that only becomes a draft's has not changed, nor has a state that merging ends. */
function notedState(each: MergeRequestRecord, after = each): NotedState {
  const { description, discussion_locked, time_estimate, total_time_spent, milestone_id, assignee_ids, label_ids } =
    each;
  const isSameTitle = withoutDraftMark(each.title) === withoutDraftMark(after.title);
  return {
    ...{ description, discussion_locked, time_estimate, total_time_spent, milestone_id, assignee_ids, label_ids },
    title: isSameTitle ? after.title : each.title,
    state: after.state === "merged" || each.state === "merged" ? "opened" : each.state,
  };
}

function* ownTexts(
  store: Store,
  callerId: number,
  before: MergeRequestRecord | undefined,
  after: MergeRequestRecord,
): Generator<string> {
  if (before !== undefined) {
    if (isDraftTitle(before.title) !== isDraftTitle(after.title)) {
      yield `marked this merge request as **${isDraftTitle(after.title) ? "draft" : "ready"}**`;
    }
    if (before.target_branch !== after.target_branch) {
      yield `changed target branch from \`${before.target_branch}\` to \`${after.target_branch}\``;
    }
    if (before.state !== "merged" && after.state === "merged") yield "merged";
    const approvers = (each: MergeRequestRecord) => (each.approvals ?? []).map(({ user_id }) => user_id);
    const [approved, unapproved] = differenceOf(approvers(before), approvers(after));
    if (approved.length > 0) yield "approved this merge request";
    if (unapproved.includes(callerId)) yield "unapproved this merge request";
  }
  const [added, removed] = differenceOf(before?.reviewer_ids, after.reviewer_ids);
  const names = (ids: readonly number[]) => ids.map((id) => `@${findUser(store, id)?.username ?? "ghost"}`);
  if (added.length + removed.length > 0) {
    yield addedAndRemoved([names(added), names(removed)], ["requested review from", "removed review request for"]);
  }
}

/** Commits that a note lists. */
const listedMax = 100;

function pushText(commits: NonNullable<MergeRequestSaved["pushed"]>["commits"]): string {
  const items = commits
    .slice(-listedMax)
    .map(({ oid, title }) => `<li>${oid.slice(0, 8)} - ${Bun.escapeHTML(title)}</li>`);
  return `added ${commits.length} ${commits.length === 1 ? "commit" : "commits"}\n\n<ul>${items.join("")}</ul>`;
}
