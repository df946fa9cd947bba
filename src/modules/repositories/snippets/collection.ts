import type { Visibility } from "../../../domain/visibility.ts";
import type { DateTime } from "../../../lib/datetime.ts";
import { bitmap, collection, multi, ordered } from "../../../store/index.ts";

/** A snippet of somebody's own, or of a project (storage-moves 8). Its contents are in its repository. */
export interface SnippetRecord {
  readonly id: number;
  /** null: a personal one. */
  readonly project_id: number | null;
  readonly author_id: number;
  readonly title: string;
  readonly description: string | null;
  readonly visibility: Visibility;
  /** Paths of its files, in the order in which they came. */
  readonly files: readonly string[];
  /** Bytes that its commits have written; left out by earlier versions. */
  readonly size?: number;
  readonly repository_storage: string;
  readonly created_at: DateTime;
  readonly updated_at: DateTime;
}

export const snippets = collection<SnippetRecord>()("snippets", {
  id: ordered((snippet) => snippet.id),
  /** 0: personal ones. */
  project_id: multi((snippet) => [snippet.project_id ?? 0]),
  author_id: multi((snippet) => [snippet.author_id]),
  visibility: bitmap((snippet) => [snippet.visibility]),
  repository_storage: bitmap((snippet) => [snippet.repository_storage]),
});
