/** The parameters of a new commit, as far as their types do not check them (commits 4). */

import type { Static } from "@sinclair/typebox";
import type { Caller } from "../../../domain/caller.ts";
import { forbidden, invalid, notFound, ProjectMoved } from "../../../domain/failure.ts";
import { getProject } from "../../core/access/index.ts";
import { projectNameOf } from "../../core/namespaces/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { type CommitRequest, decodeContent, type FileAction } from "../../repositories/repositories/index.ts";
import type { NewCommit } from "./schema.ts";

type Given = Omit<Static<typeof NewCommit>, "id">;
type GivenAction = NonNullable<Given["actions"]>[number];

const kinds = ["create", "update", "move", "delete", "chmod"] as const;
const encodings = ["text", "base64"];

/** Throws 400 for the first parameter that is missing or wrong, and 404 and 403 for another project. */
export function readCommitRequest(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  given: Given,
): CommitRequest {
  const { branch = "", commit_message: message = "", actions = [], start_branch, start_sha } = given;
  for (const [name, value] of Object.entries({ branch, commit_message: message })) {
    if (value.trim() === "") throw badRequest(`${name} is required`);
  }
  if (actions.length === 0) throw badRequest("actions is required");
  if (start_branch !== undefined && start_sha !== undefined) {
    throw badRequest("start_branch, start_sha are mutually exclusive");
  }
  const read = actions.map((action, at) => readAction(action, `actions[${at}]`));
  if (given.start_project !== undefined) requireSameProject(context, caller, project, given.start_project);
  return {
    branch,
    message,
    startBranch: start_branch,
    startSha: start_sha,
    isForced: given.force,
    author: { name: given.author_name, email: given.author_email },
    actions: read,
  };
}

function readAction(given: GivenAction, label: string): FileAction {
  const { action = "", file_path = "", previous_path = "", content, encoding = "text", execute_filemode } = given;
  if (action.trim() === "") throw badRequest(`${label}[action] is required`);
  if (file_path.trim() === "") throw badRequest(`${label}[file_path] is required`);
  const kind = kinds.find((each) => each === action);
  if (kind === undefined) throw badRequest(`${label}[action] must be one of: create, update, move, delete, chmod`);
  if (!encodings.includes(encoding)) throw badRequest(`${label}[encoding] must be text or base64`);
  if (kind === "update" && content === undefined) {
    throw badRequest(`${label}[content] is required for update action`);
  }
  if (kind === "move" && previous_path.trim() === "") {
    throw badRequest(`${label}[previous_path] is required for move action`);
  }
  if (kind === "chmod" && execute_filemode === undefined) {
    throw badRequest(`${label}[execute_filemode] is required for chmod action`);
  }
  const isKept = kind === "move" && typeof content !== "string";
  return {
    kind,
    path: withoutStart(file_path),
    previousPath: kind === "move" ? withoutStart(previous_path) : undefined,
    content: isKept ? undefined : decodeContent(content ?? "", encoding),
    isExecutable: kind === "chmod" ? execute_filemode : undefined,
    lastCommitId: given.last_commit_id,
  };
}

function withoutStart(path: string): string {
  return path.replace(/^\/+/, "");
}

/** No project is a fork: each is alone in its network. */
function requireSameProject(context: Context, caller: Caller, project: ProjectRecord, id: string): void {
  const start = visibleProject(context, caller, id);
  if (start.id === project.id) return;
  throw forbidden(`Project is not included in the fork network for ${projectNameOf(context.store, start)}`);
}

function visibleProject(context: Context, caller: Caller, id: string): ProjectRecord {
  try {
    return getProject(context, caller, id);
  } catch (error) {
    if (error instanceof ProjectMoved) throw notFound("Project");
    throw error;
  }
}

function badRequest(reason: string) {
  return invalid(`400 Bad request - ${reason}`);
}
