/** The rules of who may fetch from and push to a repository over HTTP (git-over-http 2 and 3). */

import { accessLevels } from "../../../domain/access-level.ts";
import { type Caller, isSignedIn, type SignedInCaller } from "../../../domain/caller.ts";
import { Failure, type FailureKind, ProjectMoved } from "../../../domain/failure.ts";
import type { Scope } from "../../../domain/scopes.ts";
import { ProtocolError } from "../../../git/index.ts";
import { canReadCode, getProject, levelIn } from "../../core/access/index.ts";
import { type ProjectRecord, projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";

/** A job and a session have no scopes of their own. */
export const pushScopes: readonly Scope[] = ["api", "write_repository"];
export const noUploadText = "You are not allowed to upload code.";

/** git shows people the reason only if it is plain text. */
export function plainFailure(kind: FailureKind, message: string): Failure {
  return new Failure(kind, { message }, { isPlainText: true });
}

/** Waits for work that refuses in another form, and refuses as plain text. */
export async function inPlainText<R>(work: Promise<R>): Promise<R> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ProtocolError) throw plainFailure("invalid", error.message);
    if (!(error instanceof Failure) || error.isPlainText) throw error;
    const { kind, message, retryAfterSeconds } = error;
    throw new Failure(
      kind,
      { message },
      { isPlainText: true, cause: error, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) },
    );
  }
}

function accessDenied(): Failure {
  return plainFailure(
    "unauthenticated",
    "HTTP Basic: Access denied. The provided password or token is incorrect, or is missing.",
  );
}

/** The project that a caller may fetch from. Refusals do not reveal private projects. */
export function getProjectToFetch(context: Context, caller: Caller, path: string): ProjectRecord {
  const project = visibleProject(context, caller, path);
  if (!canReadCode(context, caller.user, project)) {
    throw caller.user === undefined
      ? accessDenied()
      : plainFailure("forbidden", "You are not allowed to download code from this project.");
  }
  return project;
}

/** The project that a caller may push to, as long as no rule of a branch or tag says otherwise. */
export function getProjectToPush(
  context: Context,
  caller: Caller,
  path: string,
): { readonly project: ProjectRecord; readonly caller: SignedInCaller } {
  if (!isSignedIn(caller)) throw accessDenied();
  const { token } = caller;
  if (token !== undefined && !token.scopes.some((scope) => pushScopes.includes(scope))) {
    throw plainFailure("forbidden", noUploadText);
  }
  const project = visibleProject(context, caller, path);
  requirePusher(context, caller, project);
  return { project, caller };
}

/** Throws 403 with the sentence that git shows. */
export function requirePusher(context: Context, caller: SignedInCaller, project: ProjectRecord): void {
  if (context.repositories.isReadOnly({ kind: "project", id: project.id })) {
    throw plainFailure("forbidden", "The repository is temporarily read-only. Please try again later.");
  }
  if (project.archived) throw plainFailure("forbidden", "You can't push code to an archived project.");
  const isPusher =
    levelIn(context, caller, { project }) >= accessLevels.developer && canReadCode(context, caller.user, project);
  if (!isPusher || caller.job !== undefined) {
    throw plainFailure("forbidden", "You are not allowed to push code to this project.");
  }
}

function visibleProject(context: Context, caller: Caller, path: string): ProjectRecord {
  const found = path.includes("/") ? findVisible(context, caller, path) : undefined;
  if (found !== undefined) return found;
  if (caller.user === undefined) throw accessDenied();
  const text = "The project you were looking for could not be found or you don't have permission to view it.";
  throw plainFailure("not_found", text);
}

function findVisible(context: Context, caller: Caller, path: string): ProjectRecord | undefined {
  try {
    return getProject(context, caller, path);
  } catch (error) {
    if (error instanceof ProjectMoved) return context.store.of(projects).get(error.projectId);
    if (error instanceof Failure && error.kind === "not_found") return undefined;
    if (error instanceof Failure && error.kind === "forbidden")
      throw plainFailure("forbidden", error.message.replace("403 Forbidden - ", ""));
    throw error;
  }
}
