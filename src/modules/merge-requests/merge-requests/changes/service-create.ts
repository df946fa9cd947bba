import type { Static } from "@sinclair/typebox";
import type { SignedInCaller } from "../../../../domain/caller.ts";
import { notFoundLowerCase } from "../../../../domain/failure.ts";
import type { RepositoryWriter } from "../../../../git/index.ts";
import { toDateTime } from "../../../../lib/datetime.ts";
import { lastIdOf, sequences, type Transaction } from "../../../../store/index.ts";
import { Access } from "../../../core/access/index.ts";
import { type ProjectRecord, projectSettingOf, projects } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { insertRecord } from "../../../kernel/record-events.ts";
import { countTasks } from "../../../planning/issuables/index.ts";
import { requireValidTexts } from "../../../planning/issues/index.ts";
import type { QuickActionUpdates } from "../../../planning/quick-actions/index.ts";
import { upsertSubscription } from "../../../planning/subscriptions/index.ts";
import { mergeRequestEvents } from "../events.ts";
import { requireManager, requireReader } from "../policy.ts";
import { idOfNew, interpretMergeRequestText, withUpdates, writeOtherUpdates } from "../quick-actions/index.ts";
import { iidSequence, type MergeRequestRecord } from "../records.ts";
import type { CreateMergeRequest } from "../schema-parameters.ts";
import { mergeRequestRef } from "../service-subscriptions.ts";
import {
  headsOf,
  holdRepository,
  keepVersion,
  type NewVersion,
  requireMergeablePair,
  requireNoOpenTwin,
  versionOf,
} from "./branches.ts";
import { resolveMetadata } from "./metadata.ts";
import { reviewsOf } from "./reviews.ts";
import { insertVersion } from "./service-write.ts";

type Parameters = Static<typeof CreateMergeRequest>;

/** `POST /projects/:id/merge_requests` for the branches of `source`. Throws the errors of merge-requests 4 in their order. */
export function createMergeRequest(
  context: Context,
  caller: SignedInCaller,
  source: ProjectRecord,
  params: Parameters,
  gone: AbortSignal,
): Promise<MergeRequestRecord> {
  const { source_branch, target_branch, title, description = null } = params;
  const target = targetOf(context, caller, source, params.target_project_id);
  const branches = { source_project_id: source.id, source_branch, project_id: target.id, target_branch };
  requireMergeablePair(branches);
  return holdRepository(context, caller, target, async (writer, project) => {
    targetOf(context, caller, project, undefined);
    const heads = await headsOf(writer, branches);
    requireNoOpenTwin(context.store, branches);
    requireValidTexts({ title: title.trim(), description });
    const version = await versionOf(context, caller, writer, heads, gone);
    return keepNew(context, caller, writer, project, params, version);
  });
}

/** The project of the target branch. Throws 403 for a caller who may not take branches of the source to it, 404 for a hidden one. */
function targetOf(
  context: Context,
  caller: SignedInCaller,
  source: ProjectRecord,
  wanted: number | undefined,
): ProjectRecord {
  requireManager(context, caller, source);
  const target = wanted === undefined || wanted === source.id ? source : context.store.of(projects).get(wanted);
  if (target === undefined || !context.get(Access).canSeeProject(caller.user, target)) throw notFoundLowerCase();
  requireReader(context, caller, target);
  return target;
}

/** Makes the ref that keeps the commits, and the record with it. */
function keepNew(
  context: Context,
  caller: SignedInCaller,
  writer: RepositoryWriter,
  project: ProjectRecord,
  params: Parameters,
  version: NewVersion,
): Promise<MergeRequestRecord> {
  // Merge requests of a project are made while its repository is held, so nobody else takes the number.
  const iid = lastIdOf(context.store.of(sequences), iidSequence(project.id)) + 1;
  return keepVersion(context, writer, { id: project.id, iid, head_sha: version.head_sha }, (tx) => {
    if (tx.nextId(iidSequence(project.id)) !== iid) throw new Error(`merge request !${iid} is there already`);
    return insertMergeRequest(tx, context, caller, project, iid, params, version);
  });
}

function insertMergeRequest(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  iid: number,
  params: Parameters,
  version: NewVersion,
): MergeRequestRecord {
  const { draft, updates } = draftMergeRequest(context, caller, project, params, version);
  const id = tx.nextId("merge_requests");
  const filed = {
    ...draft,
    id,
    iid,
    ...resolveMetadata(tx, context, caller, project, draft, params),
    version_id: insertVersion(tx, context, id, version).id,
    task_completion: countTasks(draft.description),
  };
  upsertSubscription(tx, context.store, mergeRequestRef(filed), caller.user.id, true);
  const acted = withUpdates(context, caller, filed, updates);
  const asked = acted.reviewer_ids.length === 0 ? {} : { reviews: reviewsOf(context, acted) };
  const made = insertRecord(tx, context, caller, mergeRequestEvents, { ...acted, ...asked });
  return writeOtherUpdates(tx, context, caller, made, updates);
}

/** The new merge request without its number, metadata and version, and what the quick actions of its description ask for. */
function draftMergeRequest(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  params: Parameters,
  version: NewVersion,
): { readonly draft: MergeRequestRecord; readonly updates: QuickActionUpdates } {
  const { source_branch, target_branch, description = null, merge_after = null, remove_source_branch = null } = params;
  const now = toDateTime(context.clock.now());
  const squashes = ["always", "default_on"].includes(projectSettingOf(project, "squash_option"));
  const draft: MergeRequestRecord = {
    ...emptyMergeRequest,
    id: idOfNew,
    iid: idOfNew,
    version_id: idOfNew,
    project_id: project.id,
    source_project_id: project.id,
    ...{ source_branch, target_branch, description, merge_after },
    title: params.title.trim(),
    author_id: caller.user.id,
    created_at: now,
    updated_at: now,
    prepared_at: now,
    force_remove_source_branch: remove_source_branch,
    squash: params.squash ?? squashes,
    head_sha: version.head_sha,
    task_completion: { count: 0, completed_count: 0 },
  };
  if (description === null) return { draft, updates: {} };
  const { text, updates } = interpretMergeRequestText(context, caller, project, draft, description);
  return { draft: { ...draft, description: text }, updates };
}

/** The attributes of a merge request for which the caller gave no value. */
const emptyMergeRequest = {
  state: "opened",
  assignee_ids: [],
  reviewer_ids: [],
  label_ids: [],
  milestone_id: null,
  discussion_locked: null,
  merged_at: null,
  merge_user_id: null,
  closed_at: null,
  closed_by_id: null,
  merge_status: "unchecked",
  merge_error: null,
  merge_commit_sha: null,
  squash_commit_sha: null,
  should_remove_source_branch: null,
  allow_collaboration: false,
  time_estimate: 0,
  total_time_spent: 0,
  user_notes_count: 0,
  upvotes: 0,
  downvotes: 0,
} as const satisfies Partial<MergeRequestRecord>;
