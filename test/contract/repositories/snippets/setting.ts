import { type SnippetRecord, snippets } from "../../../../src/modules/repositories/snippets/records.ts";
import type { World } from "../../../support/fixtures/world.ts";

/** A snippet straight in the store, without files: a private one of root's unless said. */
export function putSnippet({ store, clock }: World, attributes: Partial<SnippetRecord> = {}): SnippetRecord {
  const now = clock.time();
  return store.transact((tx) =>
    tx.insert(snippets, {
      id: tx.nextId("snippets"),
      project_id: null,
      author_id: 1,
      title: "A snippet",
      description: null,
      visibility: "private",
      files: [],
      size: 0,
      repository_storage: "default",
      created_at: now,
      updated_at: now,
      ...attributes,
    }),
  );
}
