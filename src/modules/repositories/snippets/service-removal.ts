import type { SignedInCaller } from "../../../domain/caller.ts";
import { requireUnmodified } from "../../../domain/failure.ts";
import type { DateTime } from "../../../lib/datetime.ts";
import type { Transaction } from "../../../store/index.ts";
import { enqueueJob } from "../../core/background-jobs/index.ts";
import { type ProjectRecord, projectRemoval, subtractFromStatistics } from "../../core/namespaces/index.ts";
import { userDeleted } from "../../core/users/index.ts";
import type { Context } from "../../kernel/context.ts";
import { subscribe } from "../../kernel/event.ts";
import { removeDependents } from "../../planning/records/index.ts";
import { removeMovesOf, repositoryDeletion } from "../repositories/index.ts";
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
  context.store.transact((tx) => removeSnippet(tx, context, snippet));
}

/** Removes a snippet with its moves and reactions; a job removes the files. */
function removeSnippet(tx: Transaction, context: Context, snippet: SnippetRecord): void {
  removeDependents(tx, context.store, { type: "Snippet", id: snippet.id }, Number.POSITIVE_INFINITY);
  removeMovesOf(tx, context.store, "snippet", snippet.id, Number.POSITIVE_INFINITY);
  enqueueJob(tx, context, { kind: repositoryDeletion.kind, payload: placeOfSnippet(snippet) });
  if (snippet.project_id !== null)
    subtractFromStatistics(tx, context.store, snippet.project_id, { snippets_size: snippet.size ?? 0 });
  tx.remove(snippets, snippet.id);
}

/** Snippets are deleted with their project. */
export const snippetRemoval = projectRemoval({
  phase: 3,
  remove(tx, context, project, limit) {
    const documents = context.store.of(snippets);
    const ids = [...documents.by.project_id.find(project.id)].slice(0, limit);
    for (const id of ids) {
      const snippet = documents.get(id);
      if (snippet !== undefined) removeSnippet(tx, context, snippet);
    }
    return ids.length;
  },
});

/** Softly, snippets of the deleted become the ghost's; hard, they go (users-and-auth 9). */
export const snippetUserRemoval = subscribe(userDeleted, {
  phase: 3,
  run(tx, context, { user, isHard, ghost, budget }) {
    const documents = context.store.of(snippets);
    budget.each(
      () => documents.by.author_id.find(user.id),
      (id) => {
        const snippet = documents.get(id) as SnippetRecord;
        if (isHard) removeSnippet(tx, context, snippet);
        else tx.update(snippets, { ...snippet, author_id: ghost().id });
      },
    );
  },
});
