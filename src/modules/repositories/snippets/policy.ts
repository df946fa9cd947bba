import { accessLevels } from "../../../domain/access-level.ts";
import type { Caller, SignedInCaller } from "../../../domain/caller.ts";
import { Failure, forbidden, notFound } from "../../../domain/failure.ts";
import type { Visibility } from "../../../domain/visibility.ts";
import { Access, canSeeFeature, requireUnarchived } from "../../core/access/index.ts";
import { restriction } from "../../core/application-settings/index.ts";
import { type ProjectRecord, projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { type SnippetRecord, snippets } from "./records.ts";

/** The visibilities of other users' snippets that a user sees, in a project or among personal ones. */
export function visibleVisibilities(
  context: Context,
  { user }: Pick<Caller, "user">,
  project: ProjectRecord | undefined,
): readonly Visibility[] {
  if (user === undefined) return ["public"];
  const isMember = project !== undefined && context.get(Access).levelInProject(user, project) >= accessLevels.guest;
  if (user.is_admin || isMember) return ["private", "internal", "public"];
  return user.external ? ["public"] : ["internal", "public"];
}

/**
 * A snippet that the caller sees (storage-moves 8), one of the project's when one is given. Throws 404 for all others.
 */
export function getSnippet(context: Context, caller: Caller, id: number, within?: ProjectRecord): SnippetRecord {
  const snippet = context.store.of(snippets).get(id);
  if (snippet === undefined || !canSeeSnippet(context, caller, snippet, within)) throw notFound("Snippet");
  return snippet;
}

/** True when the caller sees the snippet with this id in the project. */
export function canReadSnippet(
  context: Context,
  caller: Pick<Caller, "user">,
  id: number,
  project: ProjectRecord,
): boolean {
  const snippet = context.store.of(snippets).get(id);
  return snippet !== undefined && canSeeSnippet(context, caller, snippet, project);
}

export function canSeeSnippet(
  context: Context,
  caller: Pick<Caller, "user">,
  snippet: SnippetRecord,
  within?: ProjectRecord,
): boolean {
  if (within !== undefined && snippet.project_id !== within.id) return false;
  const project = projectOf(context, snippet);
  if (project === undefined ? snippet.project_id !== null : !canSeeSnippetsOf(context, caller, project)) return false;
  const isOwn = snippet.author_id === caller.user?.id;
  return isOwn || visibleVisibilities(context, caller, project).includes(snippet.visibility);
}

/** Whether a user sees the project and its snippets. */
export function canSeeSnippetsOf(context: Context, { user }: Pick<Caller, "user">, project: ProjectRecord): boolean {
  return context.get(Access).canSeeProject(user, project) && canSeeFeature(context, user, project, "snippets");
}

/** Throws 403 where the project shows the caller no snippets, whatever the snippet is. */
export function requireSnippetsOf(context: Context, caller: Caller, project: ProjectRecord): void {
  if (!canSeeSnippetsOf(context, caller, project)) throw forbidden();
}

/** Throws 403 for a visibility that only administrators give. */
export function requireVisibility(context: Context, caller: Caller, visibility: Visibility): void {
  const problem = restriction(context, caller, visibility);
  if (problem !== undefined) throw new Failure("forbidden", { message: { error: `Visibility level ${problem}` } });
}

/**
 * Throws 403 for a caller who is neither the author nor an administrator, nor a maintainer of its project, and in an
 * archived project. Personal snippets of others are 404 for changes.
 */
export function requireUpdateRight(context: Context, { user }: SignedInCaller, snippet: SnippetRecord): void {
  const project = projectOf(context, snippet);
  if (project !== undefined) requireUnarchived({ project });
  if (user.is_admin || snippet.author_id === user.id) return;
  if (project === undefined) throw notFound("Snippet");
  if (context.get(Access).levelInProject(user, project) < accessLevels.maintainer) throw forbidden();
}

function projectOf({ store }: Context, { project_id }: SnippetRecord): ProjectRecord | undefined {
  return project_id === null ? undefined : store.of(projects).get(project_id);
}
