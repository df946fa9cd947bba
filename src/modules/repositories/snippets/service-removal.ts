import type { SignedInCaller } from "../../../domain/caller.ts";
import { requireUnmodified } from "../../../domain/failure.ts";
import type { DateTime } from "../../../lib/datetime.ts";
import type { Transaction } from "../../../store/index.ts";
import { enqueueJob } from "../../core/background-jobs/index.ts";
import { removeAllDependents, removeDependents } from "../../core/dependents/index.ts";
import { projectRemoval, subtractFromStatistics } from "../../core/namespaces/index.ts";
import { writtenByUser } from "../../core/users/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { publish } from "../../kernel/event.ts";
import { firstOf, removeFirst } from "../../kernel/removal.ts";
import { repositoryDeletion } from "../repositories/index.ts";
import { storageMoves } from "../storage-moves/records.ts";
import { snippetEvents } from "./events.ts";
import { getSnippet, requireUpdateRight } from "./policy.ts";
import { type SnippetRecord, snippets } from "./records.ts";
import { placeOfSnippet } from "./service-update.ts";

/** `DELETE /snippets/:id`, and the same below a project. Throws 404, 403, 412, 400 while its repository is moved. */
export function deleteSnippet(
  context: Context,
  caller: SignedInCaller,
  id: number,
  project: ProjectRecord | undefined,
  unmodifiedSince: DateTime | undefined,
): void {
  const snippet = getSnippet(context, caller, id, project);
  requireUpdateRight(context, caller, snippet);
  requireUnmodified(snippet, unmodifiedSince);
  context.repositories.refuseReadOnly(placeOfSnippet(snippet));
  context.store.transact((tx) => {
    removeAllDependents(tx, context, { type: "Snippet", id });
    removeMoves(tx, context, id);
    removeEmptied(tx, context, snippet);
    publish(tx, context, snippetEvents.deleted, { caller, before: snippet, after: undefined });
  });
}

/**
 * Removes snippets with their moves and reactions, at most `limit` documents; jobs remove the files. Returns how many; fewer than
 * `limit` are the last ones.
 */
function removeSnippets(tx: Transaction, context: Context, ids: Iterable<number>, limit: number): number {
  const { store } = context;
  let removed = 0;
  for (const id of firstOf(ids, limit)) {
    removed += removeDependents(tx, store, { type: "Snippet", id }, limit - removed);
    removed += removeMoves(tx, context, id, limit - removed);
    if (removed >= limit) return removed;
    removeEmptied(tx, context, store.of(snippets).get(id) as SnippetRecord);
    removed += 1;
  }
  return removed;
}

function removeMoves(tx: Transaction, { store }: Context, id: number, limit?: number): number {
  return removeFirst(tx, storageMoves.snippet, store.of(storageMoves.snippet).by.container.find(id), limit);
}

function removeEmptied(tx: Transaction, context: Context, snippet: SnippetRecord): void {
  enqueueJob(tx, context, { kind: repositoryDeletion.kind, payload: placeOfSnippet(snippet) });
  if (snippet.project_id !== null)
    subtractFromStatistics(tx, context.store, snippet.project_id, { snippets_size: snippet.size });
  tx.remove(snippets, snippet.id);
}

/** Snippets are deleted with their project. */
export const snippetRemoval = projectRemoval({
  phase: 3,
  remove(tx, context, project, limit) {
    return removeSnippets(tx, context, context.store.of(snippets).by.project_id.find(project.id), limit);
  },
});

export const snippetUserRemoval = writtenByUser(snippets, "author_id", { phase: 3, remove: removeSnippets });
