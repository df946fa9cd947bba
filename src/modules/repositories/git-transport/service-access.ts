/** The rules of who may fetch from and push to a repository over HTTP (git-over-http 2 and 3). */

import { accessLevels } from "../../../domain/access-level.ts";
import { type Caller, type CallerToken, isSignedIn, type SignedInCaller } from "../../../domain/caller.ts";
import { Failure, type FailureKind, ProjectMoved } from "../../../domain/failure.ts";
import type { Scope } from "../../../domain/scopes.ts";
import { ProtocolError } from "../../../git/index.ts";
import { canReadCode, getProject, levelIn } from "../../core/access/index.ts";
import { findMovedProject, findProjectByPath } from "../../core/namespaces/index.ts";
import { type ProjectRecord, projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { publish } from "../../kernel/event.ts";
import { pushedProjectRequested } from "./events.ts";
import { MadeByPush } from "./push-notices.ts";

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

function mayWrite({ scopes }: CallerToken): boolean {
  return scopes.some((scope) => pushScopes.includes(scope));
}

/** The project that a caller may push to, as long as no rule of a branch or tag says otherwise. */
export function getProjectToPush(
  context: Context,
  caller: Caller,
  path: string,
): { readonly project: ProjectRecord; readonly caller: SignedInCaller } {
  if (!isSignedIn(caller)) throw accessDenied();
  if (caller.token !== undefined && !mayWrite(caller.token)) {
    throw plainFailure("forbidden", noUploadText);
  }
  const project = visibleProject(context, caller, path);
  requirePusher(context, caller, project);
  return { project, caller };
}

/**
 * The project that a caller may push to, which is made where there is none and the caller may make it (git-over-http 3.4). Throws 422
 * for what the rules about projects refuse.
 */
export async function getOrCreateProjectToPush(context: Context, caller: Caller, path: string): Promise<ProjectRecord> {
  if (canCreateAt(context, caller, path)) {
    try {
      await context.store.transact((tx) => publish(tx, context, pushedProjectRequested, { caller, path }));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      throw plainFailure("unprocessable", `Could not create project: ${sentencesOf(error).join(", ")}`);
    }
    const made = findProjectByPath(context.store, path);
    if (made !== undefined) context.get(MadeByPush).add(caller, made);
  }
  return getProjectToPush(context, caller, path).project;
}

/** Browsers and jobs make no projects so. */
function canCreateAt(context: Context, caller: Caller, path: string): caller is SignedInCaller {
  if (!isSignedIn(caller) || caller.session !== undefined || caller.job !== undefined) return false;
  if (caller.token !== undefined && !mayWrite(caller.token)) return false;
  return (
    !path.endsWith(".wiki") &&
    [findProjectByPath, findMovedProject].every((find) => find(context.store, path) === undefined)
  );
}

/** Broken rules as `Path has already been taken`. */
function sentencesOf({ body, message }: Failure): string[] {
  if (typeof body.message !== "object" || Array.isArray(body.message)) return [message];
  return Object.entries(body.message).flatMap(([name, texts]) => {
    const words = name.replaceAll(/[._]/g, " ");
    return [texts].flat().map((text) => `${words.charAt(0).toUpperCase()}${words.slice(1)} ${text}`);
  });
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
