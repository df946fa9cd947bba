import { visibilities } from "../../../domain/visibility.ts";
import { bitmap, collection, field, multi, ordered, type RecordOf, record, sum } from "../../../store/index.ts";
import type { StorageOwner } from "../../kernel/storage-quotas.ts";

/** A personal snippet, or one of a project (storage-moves 8). Its contents are in its repository. */
export const SnippetRecord = record({
  id: field.whole,
  /** null: a personal one. */
  project_id: field.nullable(field.whole),
  author_id: field.whole,
  title: field.text,
  description: field.nullable(field.text),
  visibility: field.oneOf(...visibilities),
  /** Paths of its files, in the order in which they came. */
  files: field.listOf(field.text),
  /** Bytes that its commits have written. */
  size: field.whole,
  repository_storage: field.text,
  /** The program and address that it came from; left out where they are not known. */
  user_agent_detail: field.optional(field.object({ user_agent: field.text, ip_address: field.text })),
  created_at: field.moment,
  updated_at: field.moment,
});
export type SnippetRecord = RecordOf<typeof SnippetRecord>;

export const snippets = collection("snippets", SnippetRecord, {
  typeName: "Snippet",
  indexes: {
    id: ordered((snippet) => snippet.id),
    /** 0: personal ones. */
    project_id: multi((snippet) => [snippet.project_id ?? 0]),
    /** Snippets of projects are in the statistics of the projects. */
    storage: sum(({ project_id, author_id, size }) =>
      project_id === null ? [`user ${author_id}` satisfies StorageOwner, size] : undefined,
    ),
    author_id: multi((snippet) => [snippet.author_id]),
    created_at: ordered((snippet) => snippet.created_at),
    visibility: bitmap((snippet) => [snippet.visibility]),
    repository_storage: bitmap((snippet) => [snippet.repository_storage]),
  },
  references: { project_id: "projects", author_id: "users" },
});
