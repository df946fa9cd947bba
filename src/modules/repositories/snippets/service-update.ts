import type { Static, TObject } from "@sinclair/typebox";
import type { SignedInCaller } from "../../../domain/caller.ts";
import { invalid } from "../../../domain/failure.ts";
import type { Repository, RepositoryPlace, RepositoryWriter } from "../../../git/index.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import type { Transaction } from "../../../store/index.ts";
import { getSpamClearance, isSpamChecked, type Submission } from "../../core/spam/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { updateRecord } from "../../kernel/record-events.ts";
import { readerOf, switchRef } from "../repositories/index.ts";
import { snippetEvents } from "./events.ts";
import {
  applyChanges,
  type FileChange,
  type Files,
  findFiles,
  type KeptContent,
  readTexts,
  requireWholeChanges,
  writeFiles,
} from "./files.ts";
import { getSnippet, requireUpdateRight, requireVisibility } from "./policy.ts";
import { type SnippetRecord, snippets } from "./records.ts";
import type { UpdateSnippet } from "./schema.ts";
import { growStatisticsOf, ownerOf, requireValidTexts, signatureOf, submissionOf } from "./service-writing.ts";

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
    const snippet = getSnippet(context, caller, id, project);
    requireUpdateRight(context, caller, snippet);
    return snippet;
  };
  const snippet = admitted();
  const { visibility } = params;
  if (visibility !== undefined && visibility !== snippet.visibility) requireVisibility(context, caller, visibility);
  requireWholeChanges(params.files as readonly FileChange[] | undefined);
  requireValidTexts(params);
  const { repositories, store, clock } = context;
  const update = (tx: Transaction, grown: number, files: readonly string[]) => {
    const before = admitted();
    growStatisticsOf(tx, store, before, grown);
    const size = before.size + grown;
    const after = { ...changed(before, params), files, size, updated_at: toDateTime(clock.now()) };
    return updateRecord(tx, context, caller, snippetEvents, after);
  };
  if (changesOf(snippet, params).length === 0) {
    const submission = await repositories.readInTurn(placeOfSnippet(snippet), readerOf(caller), async (repository) => {
      const files = await findFiles(repository, snippet.files);
      return submissionFor(context, repository, snippet, params, { before: files, after: files });
    });
    const cleared = submission && (await getSpamClearance(context, caller, submission));
    return store.transact((tx) => {
      cleared?.(tx);
      return update(tx, 0, admitted().files);
    });
  }
  return repositories.write(
    { kind: "snippet", id },
    () => placeOfSnippet(admitted()),
    async (writer: RepositoryWriter) => {
      const now = admitted();
      const before = await findFiles(writer, now.files);
      const after = applyChanges(before, changesOf(now, params));
      const submission = await submissionFor(context, writer, now, params, { before, after });
      const cleared = submission && (await getSpamClearance(context, caller, submission));
      return switchRef(context, writer, {
        ...(await writeFiles(writer, after, signatureOf(context, caller, baseUrl))),
        owner: ownerOf(now),
        prepare: async () => admitted(),
        record(tx, grown) {
          cleared?.(tx);
          return update(tx, grown, [...after.keys()]);
        },
        grow(tx, bytes) {
          const before = store.of(snippets).get(id);
          if (before === undefined) return;
          growStatisticsOf(tx, store, before, bytes);
          tx.update(snippets, { ...before, size: before.size + bytes });
        },
      });
    },
  );
}

function changed(snippet: SnippetRecord, { title, description, visibility }: Parameters): SnippetRecord {
  return {
    ...snippet,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(visibility === undefined ? {} : { visibility }),
  };
}

/** Returns the texts of a change for the spam check; undefined where it judges none. Reads files only for it. */
async function submissionFor(
  context: Context,
  repository: Repository,
  snippet: SnippetRecord,
  params: Parameters,
  { before, after }: { readonly before: Files<KeptContent>; readonly after: Files },
): Promise<Submission | undefined> {
  const now = changed(snippet, params);
  if (now.visibility !== "public" || !isSpamChecked(context)) return undefined;
  const kept = await readTexts(repository, before);
  const textsOf = (files: Files) =>
    [...files.values()].map((content) => (typeof content === "string" ? content : (kept.get(content.blob) ?? "")));
  return submissionOf({ ...snippet, texts: textsOf(before) }, { ...now, texts: textsOf(after) });
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
