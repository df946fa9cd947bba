import type { Caller } from "../../../../domain/caller.ts";
import { Failure, invalid } from "../../../../domain/failure.ts";
import type { Commit, Repository } from "../../../../git/index.ts";
import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { type FoundFile, getFileAt, jsonBytesMax, requireFilePath } from "../files/service-read.ts";
import { readerOf, readRepository } from "../service-repository-access.ts";

/** Neighbouring lines that one commit brought. */
export interface BlamedText {
  readonly commit: Commit;
  readonly lines: readonly string[];
}

interface WantedBlame {
  readonly file_path: string;
  readonly ref?: string | undefined;
  /** The first and the last line, from 1 on; all lines without it. */
  readonly range?: { readonly start: number; readonly end: number } | undefined;
}

/** Lines of one answer. */
const linesMax = 200_000;

/** `GET .../files/:file_path/blame`. Throws 400, 403, 404 `Commit Not Found` and `File Not Found`, 413, and `OverBudget`. */
export function getBlame(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  { file_path: path, ref, range }: WantedBlame,
  gone: AbortSignal,
): Promise<{ readonly file: FoundFile; readonly blamed: readonly BlamedText[] }> {
  requireFilePath(path);
  return readRepository(context, caller, project, async (repository) => {
    const file = await getFileAt(repository, project, { path, ref }, jsonBytesMax);
    if (!(file.content instanceof Uint8Array)) file.content.close();
    if (range !== undefined && range.start > range.end) {
      throw invalid("range[start] must be less than or equal to range[end]");
    }
    const lines = await linesOf(repository, file);
    const wanted = { start: (range?.start ?? 1) - 1, end: Math.min(range?.end ?? lines.length, lines.length) };
    if (wanted.start >= wanted.end) return { file, blamed: [] };
    if (wanted.end - wanted.start > linesMax) {
      throw new Failure("too_large", { message: `The file has more than ${linesMax} lines: ask for a range of them` });
    }
    const found = await context.repositories.computing.blame(
      repository,
      { head: file.commitId, path, lines: wanted },
      { reader: readerOf(caller), gone },
    );
    return { file, blamed: found.map(({ commit, start, end }) => ({ commit, lines: lines.slice(start, end) })) };
  });
}

/** The lines of a file, without their ends. */
async function linesOf(repository: Repository, { blobId }: FoundFile): Promise<string[]> {
  const text = Buffer.from(await repository.blob(blobId)).toString();
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
