import type { SignedInCaller } from "../../../../domain/caller.ts";
import { Failure, notFound } from "../../../../domain/failure.ts";
import type { Commit, RepositoryWriter } from "../../../../git/index.ts";
import { trimEndCharacters } from "../../../../lib/text/trim.ts";
import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { pushCommit } from "../service-pushes.ts";
import { readerOf, writeRepository } from "../service-repository-access.ts";
import { requireBranchPusher, signaturesOf } from "./service-create.ts";
import { resolveCommit } from "./service-read.ts";

/** A commit whose change a branch is to have, or no longer to have. */
export interface PickRequest {
  readonly kind: "cherry-pick" | "revert";
  readonly sha: string;
  readonly branch: string;
  /** That of the new commit; made from the old one unless said. */
  readonly message?: string | undefined;
  /** Only tries it. */
  readonly isDry: boolean;
}

const participles = { "cherry-pick": "cherry-picked", revert: "reverted" } as const;

/**
 * `POST .../commits/:sha/cherry_pick` and `/revert`. Returns the new commit; undefined when it was only tried. Throws 400 for what
 * changes nothing and for conflicts, 403, 404 `Commit Not Found` and `Branch Not Found`.
 */
export function createPick(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  request: PickRequest,
  { baseUrl, gone }: { readonly baseUrl: string; readonly gone: AbortSignal },
): Promise<Commit | undefined> {
  const { kind, sha, branch, isDry } = request;
  return writeRepository(context, caller, project, async (writer, now) => {
    requireBranchPusher(context, caller, now, { branch, isEmpty: (await writer.branches()).size === 0 });
    const commit = await resolveCommit(writer, sha);
    const oid = await writer.branch(branch);
    const head = oid === undefined ? undefined : await writer.commitOf(oid);
    if (head === undefined) throw notFound("Branch");
    const [parent] = commit.parent;
    const before = parent === undefined ? undefined : (await writer.commitOf(parent))?.tree;
    const [base, other] = kind === "revert" ? [commit.tree, before] : [before, commit.tree];
    const names = { one: head.oid, other: kind === "revert" ? (parent ?? commit.oid) : commit.oid };
    const { computing } = context.repositories;
    const question = { base, one: head.tree, other, names };
    const merged = await computing.merge(writer, question, { reader: readerOf(caller), gone });
    const code = !merged.isClean ? "conflict" : merged.tree === head.tree ? "empty" : undefined;
    if (code !== undefined) throw refusal(request, code);
    if (isDry) return undefined;
    await writer.writeMade(merged.objects);
    return commitPick(context, caller, writer, now, { request, commit, head, tree: merged.tree }, baseUrl);
  });
}

function refusal({ kind, isDry }: PickRequest, error_code: "conflict" | "empty"): Failure {
  const sorry = `Sorry, we cannot ${kind} this commit automatically.`;
  const reason = `This commit may already have been ${participles[kind]}, or a more recent commit may have updated some of its content.`;
  return new Failure("invalid", {
    message: `${sorry} ${reason}`,
    error_code,
    ...(isDry ? { dry_run: "error" as const } : {}),
  });
}

interface Picked {
  readonly request: PickRequest;
  readonly commit: Commit;
  /** The commit of the branch. */
  readonly head: Commit;
  readonly tree: string;
}

async function commitPick(
  context: Context,
  caller: SignedInCaller,
  writer: RepositoryWriter,
  project: ProjectRecord,
  { request, commit, head, tree }: Picked,
  baseUrl: string,
): Promise<Commit> {
  const { branch } = request;
  const message = request.message || messageFor(request, commit);
  const nobody = { name: undefined, email: undefined };
  const signatures = signaturesOf(context, caller, { author: nobody }, baseUrl);
  const oid = await writer.writeCommit({ message, tree, parents: [head.oid], ...signatures });
  await pushCommit(context, caller, writer, project, { branch, before: head.oid, oid, tree, isFirst: false }, baseUrl);
  return (await writer.commitOf(oid)) as Commit;
}

function messageFor({ kind }: PickRequest, { oid, message, author }: Commit): string {
  const text = trimEndCharacters(message, "\n");
  if (kind === "revert") return `Revert "${(text.split("\n", 1)[0] as string).trim()}"\n\nThis reverts commit ${oid}`;
  return `${text}\n\n(cherry-picked from commit ${oid})\n\nCo-authored-by: ${author.name} <${author.email}>`;
}
