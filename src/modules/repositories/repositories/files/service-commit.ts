import type { SignedInCaller } from "../../../../domain/caller.ts";
import { Failure, invalid } from "../../../../domain/failure.ts";
import { isFilePath, newPathProblem } from "../../../../git/index.ts";
import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import type { FileAction } from "../commits/actions.ts";
import { canPush, commitChanges, type GivenAuthor } from "../commits/service-create.ts";
import { writeRepository } from "../service-repository-access.ts";

/** One file changed by one commit. */
export interface FileChange extends Omit<FileAction, "kind"> {
  readonly action: "create" | "update" | "delete";
  readonly branch: string;
  readonly message: string;
  /** The branch from which a new branch starts. */
  readonly startBranch?: string | undefined;
  readonly author: GivenAuthor;
  /** Changes nothing in a repository that has a commit already. */
  readonly isOnlyFirst?: true;
  /** Belongs to the creation of the project, whoever may push to it. */
  readonly isByServer?: true;
}

/** Commits a change of one file (triggers-and-pipelines 7). Throws 400 with the page's texts, 403. */
export async function commitFile(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  { action: kind, ...change }: FileChange,
  baseUrl: string,
): Promise<void> {
  const { path, branch, isOnlyFirst, isByServer } = change;
  // A file that is there already may be changed and deleted, however deep it is.
  const problem = kind === "create" || !isFilePath(path) ? newPathProblem(path) : undefined;
  if (problem !== undefined) throw new Failure("parameters", { error: `file_path ${problem}` });
  await writeRepository(context, caller, project, async (writer, now) => {
    const isEmpty = (await writer.branches()).size === 0;
    if (isOnlyFirst && !isEmpty) return;
    if (!isByServer && !canPush(context, caller, now, { branch, isEmpty })) {
      throw invalid("You are not allowed to push into this branch");
    }
    const request = { ...change, actions: [{ ...change, kind }] };
    await commitChanges(context, caller, writer, now, request, { baseUrl, staleText });
  });
}

function staleText({ kind }: FileAction): string {
  return kind === "delete"
    ? "You are attempting to delete a file that has been previously updated."
    : "You are attempting to update a file that has changed since you started editing it.";
}
