import type { Static } from "@sinclair/typebox";
import type { Commit, TreeEntry } from "../../../git/index.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import { projectPathOf } from "../../core/namespaces/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { View } from "../../kernel/view.ts";
import type { BranchRights } from "../protected-branches/index.ts";
import {
  type Branch,
  type Commit as CommitEntity,
  type CommitWithStats,
  messageCharactersMax,
  type TreeItem,
} from "./schema.ts";
import type { FoundCommit } from "./service-commits.ts";
import { trailersOf } from "./trailers.ts";

/** The page of a README; null when there is none. */
export function readmeUrl({ readme, default_branch }: ProjectRecord, webUrl: string): string | null {
  if (readme === undefined || default_branch === null) return null;
  return rootFileUrl(webUrl, default_branch, readme);
}

/** The page of a file in the root of the default branch. */
export function rootFileUrl(webUrl: string, branch: string, path: string): string {
  return `${webUrl}/-/blob/${escaped(branch)}/${escaped(path)}`;
}

/** triggers-and-pipelines 4, "commit", with `web_url` below the project's. */
export function presentCommit(
  commit: Commit,
  { baseUrl }: Pick<View, "baseUrl">,
  { projectPath }: { readonly projectPath: string },
): Static<typeof CommitEntity> {
  const { oid, message, parent, author, committer } = commit;
  const committed = toDateTime(committer.timestamp * 1000);
  const text = shownMessage(message);
  return {
    id: oid,
    short_id: oid.slice(0, 8),
    created_at: committed,
    parent_ids: parent,
    title: titleOf(text),
    message: text,
    author_name: author.name,
    author_email: author.email,
    authored_date: toDateTime(author.timestamp * 1000),
    committer_name: committer.name,
    committer_email: committer.email,
    committed_date: committed,
    ...trailersOf(text),
    web_url: `${baseUrl}/${projectPath}/-/commit/${oid}`,
  };
}

/** The first line of a message. */
function titleOf(message: string): string {
  return message.trim() === "" ? "No commit message" : (/^[^\r\n]*/.exec(message)?.[0] ?? "");
}

/** The title of a message that is not shown whole. */
const titleMax = 1_000;

/** The message of a commit or tag in an answer, in which others may be: of a very long one, the title (git-over-http 9). */
export function shownMessage(message: string): string {
  if (message.length <= messageCharactersMax) return message;
  const [title] = message.slice(0, titleMax).toWellFormed().split("\n", 1);
  return `${title}\n\n--commit message is too big`;
}

/** A commit, with the numbers of its changed lines where they were counted. */
export function presentCommitWithStats(
  { commit, stats }: FoundCommit,
  view: Pick<View, "baseUrl">,
  place: { readonly projectPath: string },
): Static<typeof CommitWithStats> {
  const shown = presentCommit(commit, view, place);
  if (stats === undefined) return shown;
  return { ...shown, stats: { ...stats, total: stats.additions + stats.deletions } };
}

/** A branch with the caller's rights on it. */
export function presentBranch(
  { name, commit, isMerged }: { readonly name: string; readonly commit: Commit; readonly isMerged: boolean },
  view: View,
  { project, rights }: { readonly project: ProjectRecord; readonly rights: BranchRights },
): Static<typeof Branch> {
  const { context, baseUrl } = view;
  const projectPath = projectPathOf(context.store, project);
  return {
    name,
    commit: presentCommit(commit, view, { projectPath }),
    merged: isMerged,
    protected: rights.isProtected,
    developers_can_push: rights.canDevelopersPush,
    developers_can_merge: rights.canDevelopersMerge,
    can_push: rights.canPush,
    default: name === project.default_branch,
    web_url: `${baseUrl}/${projectPath}/-/tree/${escaped(name)}`,
  };
}

export function presentTreeEntry({ oid, path, type, mode }: TreeEntry): Static<typeof TreeItem> {
  return { id: oid, name: path.slice(path.lastIndexOf("/") + 1), type, path, mode: mode.padStart(6, "0") };
}

/** Slashes stay: they are part of the name and of the path. */
function escaped(name: string): string {
  return name.split("/").map(encodeURIComponent).join("/");
}
