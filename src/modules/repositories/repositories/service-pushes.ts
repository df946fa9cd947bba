import type { SignedInCaller } from "../../../domain/caller.ts";
import { noteWritten, withoutBudget, withoutLimit } from "../../../domain/work-budget.ts";
import { branchPrefix, noOid, type RepositoryWriter } from "../../../git/index.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import type { Transaction } from "../../../store/index.ts";
import { growStatistics } from "../../core/namespaces/index.ts";
import { type ProjectRecord, projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { prepare, publish } from "../../kernel/event.ts";
import { insertDefaultRule } from "../protected-branches/index.ts";
import { type Push, refPushed } from "./events.ts";
import { findReadme } from "./readme.ts";
import { prepareSwitch } from "./ref-switch.ts";
import { enqueueRepack } from "./repack.ts";

/** A commit that is about to be what a branch is at. */
export interface NewHead {
  readonly branch: string;
  /** The id of the previous commit of the branch; undefined for a new one. */
  readonly before: string | undefined;
  readonly oid: string;
  /** The id of its root tree. */
  readonly tree: string;
  /** There was no branch before: this one becomes the default. */
  readonly isFirst: boolean;
  /** Commits that the branch has more than before; left out for one. */
  readonly commitCount?: number;
  /** Refs that the push changes; left out for one. */
  readonly refCount?: number;
  readonly pipeline?: Push["pipeline"];
  /** Records what the new commit means to its maker, in the transaction that notes the push. */
  record?(tx: Transaction): void;
}

/**
 * Switches a branch to a new commit, and notes in the project's record what it shows of its repository. Throws 507 when the
 * project may not grow by that much.
 */
export async function pushCommit(
  context: Context,
  caller: SignedInCaller,
  writer: RepositoryWriter,
  project: ProjectRecord,
  head: NewHead,
  baseUrl: string,
): Promise<void> {
  const change = await prepareCommit(context, caller, writer, project, head, baseUrl);
  await change();
}

/** The first part of `pushCommit`. Returns the second one, which switches the branch. */
export async function prepareCommit(
  context: Context,
  caller: SignedInCaller,
  writer: RepositoryWriter,
  project: ProjectRecord,
  head: NewHead,
  baseUrl: string,
): Promise<() => Promise<void>> {
  const { branch, oid, before, isFirst, pipeline, commitCount = 1, refCount = 1 } = head;
  const ref = `${branchPrefix}${branch}`;
  const default_branch = isFirst ? branch : (project.default_branch ?? (await writer.headBranch()) ?? null);
  const isDefault = branch === default_branch;
  const commits = { before: before ?? noOid, after: oid, commit: oid, commitCount, refCount };
  const push: Push = { caller, project: { ...project, default_branch }, ref, ...commits, pipeline, baseUrl };
  return prepareSwitch(context, writer, {
    owner: `project ${project.id}`,
    ref,
    oid,
    asHead: isFirst ? branch : undefined,
    async prepare() {
      const readme = isDefault ? await findReadme(writer, head.tree) : undefined;
      return { readme, prepared: await prepare(context, refPushed, push) };
    },
    record(tx, bytes, { readme, prepared }) {
      const now = context.store.of(projects).get(project.id);
      if (now === undefined) return;
      const { readme: old, ...others } = now;
      const shown = isDefault ? readme : old;
      tx.update(projects, {
        ...others,
        default_branch,
        ...(shown === undefined ? {} : { readme: shown }),
        last_activity_at: toDateTime(context.clock.now()),
        statistics: grown(now, bytes, isDefault ? commitCount : 0),
      });
      enqueueRepack(tx, context, writer, project.id);
      if (now.default_branch === null && default_branch !== null) insertDefaultRule(tx, context, now, default_branch);
      head.record?.(tx);
      publish(tx, context, refPushed, push, prepared);
    },
    grow: (tx, bytes) => recordGrowth(tx, context, writer, project, bytes),
  });
}

/** A branch or tag that is about to be there. */
export interface NewRef {
  /** `refs/heads/main`, `refs/tags/v1`. */
  readonly ref: string;
  /** The id that it named; left out for a new one. */
  readonly before?: string;
  /** The id of the commit. */
  readonly commit: string;
  /** The id of an annotated tag of the commit; left out for other refs. */
  readonly object?: string;
  readonly refCount?: number;
  readonly pipeline?: Push["pipeline"];
  /** Changes more in the transaction that notes the ref. */
  record?(tx: Transaction): void;
}

/** Makes a branch or tag of what a writer has written. Throws 507. */
export async function createRef(
  context: Context,
  caller: SignedInCaller,
  writer: RepositoryWriter,
  project: ProjectRecord,
  created: NewRef,
  baseUrl: string,
): Promise<void> {
  const change = await prepareRef(context, caller, writer, project, created, baseUrl);
  await change();
}

/** The first part of `createRef`. Returns the second one, which makes the branch or tag. */
export function prepareRef(
  context: Context,
  caller: SignedInCaller,
  writer: RepositoryWriter,
  project: ProjectRecord,
  { ref, before = noOid, commit, object = commit, refCount = 1, pipeline, record: recordMore }: NewRef,
  baseUrl: string,
): Promise<() => Promise<void>> {
  const { id } = project;
  const counts = { commitCount: 0, refCount };
  const push: Push = { caller, project, ref, before, after: object, commit, ...counts, pipeline, baseUrl };
  return prepareSwitch(context, writer, {
    owner: `project ${id}`,
    ref,
    oid: object,
    prepare: () => prepare(context, refPushed, push),
    record(tx, bytes, prepared) {
      const now = context.store.of(projects).get(id);
      if (now === undefined) return;
      const last_activity_at = toDateTime(context.clock.now());
      tx.update(projects, { ...now, last_activity_at, statistics: grown(now, bytes, 0) });
      enqueueRepack(tx, context, writer, id);
      publish(tx, context, refPushed, push, prepared);
      recordMore?.(tx);
    },
    grow: (tx, bytes) => recordGrowth(tx, context, writer, project, bytes),
  });
}

/** Returns the function that makes a ref, neither a branch nor a tag, name an object, which need not be a commit. Throws 507. */
export function prepareOtherRef(
  context: Context,
  writer: RepositoryWriter,
  project: ProjectRecord,
  ref: string,
  oid: string,
): Promise<() => Promise<void>> {
  const { id } = project;
  return prepareSwitch(context, writer, {
    owner: `project ${id}`,
    ref,
    oid,
    prepare: async () => undefined,
    record(tx, bytes) {
      const now = context.store.of(projects).get(id);
      if (now === undefined) return;
      tx.update(projects, {
        ...now,
        last_activity_at: toDateTime(context.clock.now()),
        statistics: grown(now, bytes, 0),
      });
      enqueueRepack(tx, context, writer, id);
    },
    grow: (tx, bytes) => recordGrowth(tx, context, writer, project, bytes),
  });
}

/** A byte on the disk counts for the write quota of its user as a sixteenth of one in memory, which is scarce. */
const quotaShare = 1 / 16;

/** Notes a pack that has come into the repository, whatever becomes of the refs. It is there: the note is not refused. */
export function recordPack(context: Context, writer: RepositoryWriter, project: ProjectRecord, bytes: number): void {
  withoutBudget(() => context.store.transact((tx) => recordGrowth(tx, context, writer, project, bytes)));
  noteWritten(bytes * quotaShare);
}

/** Notes that refs were put back to what they were when the project was as it is given. */
export function recordPutBack(context: Context, { id, default_branch, readme }: ProjectRecord): void {
  withoutBudget(() =>
    context.store.transact((tx) => {
      const now = context.store.of(projects).get(id);
      if (now === undefined) return;
      const { readme: _, ...others } = now;
      tx.update(projects, { ...others, default_branch, ...(readme === undefined ? {} : { readme }) });
    }),
  );
}

function recordGrowth(
  tx: Transaction,
  context: Context,
  writer: RepositoryWriter,
  { id }: ProjectRecord,
  bytes: number,
): void {
  growStatistics(tx, context.store, id, { repository_size: bytes });
  enqueueRepack(tx, context, writer, id);
}

/** A branch or tag that is about to go. */
interface GoneRef {
  readonly ref: string;
  readonly before: string;
  readonly refCount?: number;
}

/** Deletes a branch or tag, and notes that. */
export async function deleteRef(
  context: Context,
  caller: SignedInCaller,
  writer: RepositoryWriter,
  project: ProjectRecord,
  gone: GoneRef,
  baseUrl?: string,
): Promise<void> {
  const change = await prepareDeletion(context, caller, writer, project, gone, baseUrl);
  await change();
}

/** The first part of `deleteRef`. Returns the second one, after which the branch or tag is gone. */
export async function prepareDeletion(
  context: Context,
  caller: SignedInCaller,
  writer: RepositoryWriter,
  project: ProjectRecord,
  { ref, before, refCount = 1 }: GoneRef,
  baseUrl?: string,
): Promise<() => Promise<void>> {
  const counts = { commitCount: 0, refCount };
  const push: Push = { caller, project, ref, before, after: noOid, commit: undefined, ...counts, baseUrl };
  const prepared = await withoutLimit(() => prepare(context, refPushed, push));
  return async () => {
    await writer.delete(ref);
    withoutLimit(() =>
      context.store.transact((tx) => {
        const now = context.store.of(projects).get(project.id);
        if (now === undefined) return;
        tx.update(projects, { ...now, last_activity_at: toDateTime(context.clock.now()) });
        publish(tx, context, refPushed, push, prepared);
      }),
    );
  };
}

/** Notes that a ref went that is neither a branch nor a tag. */
export function recordActivity(context: Context, { id }: ProjectRecord): void {
  context.store.transact((tx) => {
    const now = context.store.of(projects).get(id);
    if (now !== undefined) tx.update(projects, { ...now, last_activity_at: toDateTime(context.clock.now()) });
  });
}

function grown(
  { statistics }: ProjectRecord,
  bytes: number,
  commits: number,
): NonNullable<ProjectRecord["statistics"]> {
  return {
    ...statistics,
    commit_count: (statistics?.commit_count ?? 0) + commits,
    repository_size: (statistics?.repository_size ?? 0) + bytes,
    storage_size: (statistics?.storage_size ?? 0) + bytes,
  };
}
