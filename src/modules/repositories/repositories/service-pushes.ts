import type { SignedInCaller } from "../../../domain/caller.ts";
import { branchPrefix, type Commit, noOid, type RepositoryWriter } from "../../../git/index.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import { type ProjectRecord, projects, Quotas } from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
import { prepare, publish } from "../../kernel/event.ts";
import { branchPushed, type Push } from "./events.ts";

/** A commit that is about to be what a branch is at. */
export interface NewHead {
  readonly branch: string;
  /** The previous commit of the branch; undefined for a new one. */
  readonly before: Commit | undefined;
  readonly oid: string;
  /** The id of its root tree. */
  readonly tree: string;
  readonly message: string;
  /** There was no branch before: this one becomes the default. */
  readonly isFirst: boolean;
}

/**
 * Switches a branch to a new commit, which is the instant at which the change is made, and notes in the project's record what
 * it shows of its repository. Throws 507 when the project may not grow by that much.
 */
export async function pushCommit(
  context: Context,
  caller: SignedInCaller,
  writer: RepositoryWriter,
  project: ProjectRecord,
  head: NewHead,
  baseUrl: string,
): Promise<void> {
  const { branch, oid, before, message } = head;
  const ref = `${branchPrefix}${branch}`;
  context.get(Quotas).requireRoom(project.id, writer.draftBytes);
  const bytes = await writer.update(ref, oid, head.isFirst ? branch : undefined);
  const default_branch = head.isFirst ? branch : (project.default_branch ?? (await writer.headBranch()) ?? null);
  const readme = branch === default_branch ? await findReadme(writer, head.tree) : project.readme;
  const commits = { ref, before: before?.oid ?? noOid, after: oid, message };
  const push: Push = { caller, project: { ...project, default_branch }, ...commits, baseUrl };
  const prepared = await prepare(context, branchPushed, push);
  context.store.transact((tx) => {
    const now = context.store.of(projects).get(project.id);
    if (now === undefined) return;
    const { readme: _, ...others } = now;
    tx.update(projects, {
      ...others,
      default_branch,
      ...(readme === undefined ? {} : { readme }),
      last_activity_at: toDateTime(context.clock.now()),
      statistics: grown(now, bytes, branch === default_branch ? 1 : 0),
    });
    publish(tx, context, branchPushed, push, prepared);
  });
}

/** Notes that branches or tags came or went. */
export function recordActivity(context: Context, { id }: ProjectRecord): void {
  context.store.transact((tx) => {
    const now = context.store.of(projects).get(id);
    if (now !== undefined) tx.update(projects, { ...now, last_activity_at: toDateTime(context.clock.now()) });
  });
}

/** The name of the README in the root of a tree; the plainest of several. */
async function findReadme(writer: RepositoryWriter, tree: string): Promise<string | undefined> {
  const entries = await writer.tree(tree);
  const names = entries
    .filter(({ type, path }) => type === "blob" && /^readme(\.|$)/i.test(path))
    .map(({ path }) => path);
  return names.find((name) => name === "README.md") ?? names[0];
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
