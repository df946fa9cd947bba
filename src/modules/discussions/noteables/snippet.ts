/** Snippets of projects, as things that users write notes on. */

import { notFound } from "../../../domain/failure.ts";
import { projects } from "../../groups-and-projects/projects/records.ts";
import { canReadSnippet, canSeeSnippet } from "../../repositories/snippets/index.ts";
import { type SnippetRecord, snippets } from "../../repositories/snippets/records.ts";
import { defineNoteable } from "./noteable.ts";

export const noteableSnippet = defineNoteable<SnippetRecord>({
  type: "Snippet",
  word: "project snippet",
  path: "/projects/:id/snippets/:snippet_id",
  parameter: "snippet_id",
  parameterDescription: "snippet id",
  find: (store, id) => store.of(snippets).get(id),
  findReadable: (context, caller, project, id) =>
    canReadSnippet(context, caller, id, project) ? context.store.of(snippets).get(id) : undefined,
  notFound: () => notFound("Snippet"),
  canRead: (context, user, snippet) => canSeeSnippet(context, { user }, snippet),
  findProject: (store, { project_id }) => (project_id === null ? undefined : store.of(projects).get(project_id)),
  hasInternalNotes: false,
  isLocked: () => false,
  referenceOf: ({ id }) => `$${id}`,
  pagePathOf: ({ id }) => `snippets/${id}`,
  listParticipants: (_, { author_id }) => [author_id],
});
