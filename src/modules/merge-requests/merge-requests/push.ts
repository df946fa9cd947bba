/** The effects of a push on merge requests: a new version of those of the branch, and the end of those that it merges. */

import type { SignedInCaller } from "../../../domain/caller.ts";
import { branchPrefix, type Commit, noOid, type Repository } from "../../../git/index.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import type { Store, Transaction } from "../../../store/index.ts";
import { enqueueJob, type JobKind, jobKind, type LongWork } from "../../core/background-jobs/index.ts";
import { findUser } from "../../core/users/index.ts";
import { projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { subscribe } from "../../kernel/event.ts";
import { type Push, placeOf, refPushed } from "../../repositories/repositories/index.ts";
import { keepVersion, versionOf } from "./changes/branches.ts";
import { versionAfter, writeMergeRequest } from "./changes/service-write.ts";
import type { PushedCommits } from "./events.ts";
import { branchKey, headKey, type MergeRequestRecord, mergeRequests } from "./records.ts";
import { commitsOf } from "./service-commits.ts";
import { getVersion } from "./service-find.ts";

/** A branch that a user has changed. */
interface Payload {
  readonly project_id: number;
  readonly user_id: number;
  readonly branch: string;
  /** The commits before and after; 40 zeros for none. */
  readonly before: string;
  readonly after: string;
}

/** Lets a job look at merge requests of a branch that is pushed to, if there are any. */
export const pushToMergeRequests = subscribe(refPushed, {
  run(tx: Transaction, context: Context, { project, caller, ref, before, after }: Push) {
    if (!ref.startsWith(branchPrefix)) return;
    const branch = ref.slice(branchPrefix.length);
    const { open_source, open_target } = context.store.of(mergeRequests).by;
    const key = branchKey(project.id, branch);
    if (open_source.find(key).size + open_target.find(key).size === 0) return;
    const payload = { project_id: project.id, user_id: caller.user.id, branch, before, after } satisfies Payload;
    enqueueJob(tx, context, { kind: mergeRequestRefresh.kind, payload, user_id: caller.user.id });
  },
});

/** Brings merge requests up to a push. An attempt begins anew: what is done finds nothing to do. */
export const mergeRequestRefresh: JobKind = jobKind<Payload>({
  kind: "merge_request_refresh",
  takesTurns: true,
  async run({ context, payload, pace, signal }) {
    const { store } = context;
    const user = findUser(store, payload.user_id);
    if (user === undefined) return;
    const scene = { context, caller: { user, token: undefined, ipAddress: null }, payload, pace, signal };
    await endMerged(scene);
    const { by } = store.of(mergeRequests);
    const key = branchKey(payload.project_id, payload.branch);
    for (const id of [...by.open_source.find(key)]) {
      await pace();
      await refreshSource(scene, id);
    }
    for (const id of [...by.open_target.find(key)]) {
      await pace();
      store.transact((tx) => forgetMergeStatus(tx, store, id));
    }
  },
});

interface Scene extends LongWork {
  readonly caller: SignedInCaller;
  readonly payload: Payload;
}

/** Marks those as merged whose commits the branch has now (merge-requests 7, "Also"). */
async function endMerged({ context, caller, payload, pace }: Scene): Promise<void> {
  const { store, repositories } = context;
  const project = store.of(projects).get(payload.project_id);
  if (project === undefined || payload.after === noOid) return;
  const { open_head } = store.of(mergeRequests).by;
  const commits = await repositories.read(placeOf(project), (repository) =>
    commitsOf(repository, payload.before, payload.after),
  );
  for (const { oid } of commits) {
    await pace();
    for (const id of [...open_head.find(headKey(project.id, payload.branch, oid))]) {
      store.transact((tx) => markMerged(tx, context, caller, id));
    }
  }
}

function markMerged(tx: Transaction, context: Context, caller: SignedInCaller, id: number): void {
  const { store, clock } = context;
  const before = store.of(mergeRequests).get(id);
  // One without commits is in the target branch from the start.
  if (before?.state !== "opened" || getVersion(store, before).base_sha === before.head_sha) return;
  const merged_at = toDateTime(clock.now());
  writeMergeRequest(tx, context, caller, before, {
    ...before,
    ...{ state: "merged", merged_at, merge_user_id: caller.user.id },
  });
}

/** Makes a version of the branch as it is now; closes a merge request of one that is gone. */
async function refreshSource({ context, caller, signal }: Scene, id: number): Promise<void> {
  const { store, repositories } = context;
  const found = store.of(mergeRequests).get(id);
  const project = found && store.of(projects).get(found.project_id);
  if (found === undefined || project === undefined) return;
  await repositories.write(
    { kind: "project", id: project.id },
    () => placeOf(store.of(projects).get(project.id) ?? project),
    async (writer) => {
      const before = store.of(mergeRequests).get(id);
      if (before?.state !== "opened") return;
      const source = await writer.resolve(`${branchPrefix}${before.source_branch}`);
      const target = await writer.resolve(`${branchPrefix}${before.target_branch}`);
      if (source === undefined) {
        store.transact((tx) => closeLost(tx, context, caller, before));
        return;
      }
      if (source.oid === before.head_sha || target === undefined) return;
      const version = await versionOf(context, caller, writer, { source, target }, signal);
      const pushed = await pushedCommits(writer, before.head_sha, source);
      const kept = { id: project.id, iid: before.iid, head_sha: source.oid };
      await keepVersion(context, writer, kept, (tx) =>
        writeMergeRequest(
          tx,
          context,
          caller,
          before,
          { ...before, ...versionAfter(tx, context, before, version), merge_error: null },
          { pushed },
        ),
      );
    },
  );
}

async function pushedCommits(repository: Repository, before: string, head: Commit): Promise<PushedCommits> {
  const commits = await commitsOf(repository, before, head.oid);
  return {
    commits: commits.reverse().map(({ oid, message }) => ({ oid, title: message.split("\n", 1)[0] as string })),
  };
}

function closeLost(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  before: MergeRequestRecord,
): MergeRequestRecord {
  const closed_at = toDateTime(context.clock.now());
  return writeMergeRequest(tx, context, caller, before, {
    ...before,
    ...{ state: "closed", closed_at, closed_by_id: caller.user.id },
  });
}

/** The answer to the question whether it can be merged is no longer known. No event: the target branch has one. */
function forgetMergeStatus(tx: Transaction, store: Store, id: number): void {
  const before = store.of(mergeRequests).get(id);
  if (before === undefined || before.state !== "opened" || before.merge_status === "unchecked") return;
  const isConflict = before.merge_status.startsWith("cannot_be_merged");
  tx.update(mergeRequests, { ...before, merge_status: isConflict ? "cannot_be_merged_recheck" : "unchecked" });
}
