import type { Static, TObject } from "@sinclair/typebox";
import type { SignedInCaller } from "../../../domain/caller.ts";
import { invalid } from "../../../domain/failure.ts";
import type { RepositoryPlace, RepositoryWriter } from "../../../git/index.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import type { ProjectRecord } from "../../core/namespaces/index.ts";
import { getSpamClearance } from "../../core/spam/index.ts";
import type { Context } from "../../kernel/context.ts";
import { readerOf } from "../repositories/index.ts";
import { applyChanges, commitFiles, type FileChange, type Files, readFiles } from "./files.ts";
import { getSnippet, requireUpdateRight } from "./policy.ts";
import { type SnippetRecord, snippets } from "./records.ts";
import type { UpdateSnippet } from "./schema.ts";
import { addToStatisticsOf, requireValidTexts, signatureOf, submissionOf } from "./service-writing.ts";

type Parameters = Static<TObject<typeof UpdateSnippet>>;

/** The current place of a snippet's repository. */
export function placeOfSnippet({ id, repository_storage }: SnippetRecord): RepositoryPlace {
  return { kind: "snippet", id, storage: repository_storage };
}

/**
 * `PUT /snippets/:id`, and the same below a project (storage-moves 8). Files are changed in the writers' line of the
 * repository, other attributes without it. Throws 404, 403, 400 for broken rules and while the repository is moved, then
 * what `getSpamClearance` throws.
 */
export async function updateSnippet(
  context: Context,
  caller: SignedInCaller,
  id: number,
  project: ProjectRecord | undefined,
  params: Parameters,
  baseUrl: string,
): Promise<SnippetRecord> {
  const admitted = () => {
    caller.confirm?.();
    const snippet = getSnippet(context, caller, id, project);
    requireUpdateRight(context, caller, snippet);
    return snippet;
  };
  const snippet = admitted();
  requireValidTexts(params);
  const { repositories } = context;
  if (changesOf(snippet, params).length === 0) {
    const files = await repositories.readInTurn(placeOfSnippet(snippet), readerOf(caller), (repository) =>
      readFiles(repository, snippet.files),
    );
    return store(context, caller, admitted, params, { before: files, after: files });
  }
  return repositories.write(
    { kind: "snippet", id },
    () => placeOfSnippet(admitted()),
    async (writer: RepositoryWriter) => {
      const now = admitted();
      const before = await readFiles(writer, now.files);
      const after = applyChanges(before, changesOf(now, params));
      const commit = () => commitFiles(writer, after, signatureOf(context, caller, baseUrl));
      return store(context, caller, admitted, params, { before, after }, commit);
    },
  );
}

async function store(
  context: Context,
  caller: SignedInCaller,
  admitted: () => SnippetRecord,
  params: Parameters,
  files: { readonly before: Files; readonly after: Files },
  commit?: () => Promise<number>,
): Promise<SnippetRecord> {
  const { title, description, visibility } = params;
  const changed = (snippet: SnippetRecord): SnippetRecord => ({
    ...snippet,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(visibility === undefined ? {} : { visibility }),
    ...(commit === undefined ? {} : { files: [...files.after.keys()] }),
  });
  const known = admitted();
  const submission = submissionOf({ ...known, files: files.before }, { ...changed(known), files: files.after });
  const cleared = submission === undefined ? undefined : await getSpamClearance(context, caller, submission);
  admitted();
  const grown = (await commit?.()) ?? 0;
  return context.store.transact((tx) => {
    const before = admitted();
    cleared?.(tx);
    addToStatisticsOf(tx, context, before, grown);
    const size = (before.size ?? 0) + grown;
    return tx.update(snippets, { ...changed(before), size, updated_at: toDateTime(context.clock.now()) });
  });
}

/** Returns either form as changes of files; the older one is about the only file. Throws 400 for it if there are several. */
function changesOf({ files: paths }: SnippetRecord, { files, file_name, content }: Parameters): readonly FileChange[] {
  if (files !== undefined) return files as readonly FileChange[];
  if (file_name === undefined && content === undefined) return [];
  const [path, ...others] = paths;
  if (path === undefined || others.length > 0) {
    throw invalid("To update Snippets with multiple files, you must use the `files` parameter");
  }
  const renamed = { action: "move" as const, file_path: file_name ?? path, previous_path: path };
  return [content === undefined ? renamed : { ...renamed, content }];
}
