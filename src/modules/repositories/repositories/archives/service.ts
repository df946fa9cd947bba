import type { Caller } from "../../../../domain/caller.ts";
import { Failure, forbidden, notFound, unknownRoute } from "../../../../domain/failure.ts";
import { withoutBudget } from "../../../../domain/work-budget.ts";
import { type ArchiveFormat, type Repository, readUntilEnd } from "../../../../git/index.ts";
import { streamOf } from "../../../../lib/byte-pieces.ts";
import { contentDisposition } from "../../../../lib/text/content-disposition.ts";
import { trimCharacters } from "../../../../lib/text/trim.ts";
import { canReadCode } from "../../../core/access/index.ts";
import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import type { FileContent } from "../../../kernel/operation.ts";
import { defaultBranchOf, placeOf, readerOf } from "../service-repository-access.ts";

const formats: Readonly<Record<string, ArchiveFormat | "bzip2">> = {
  "tar.gz": "tar.gz",
  tgz: "tar.gz",
  gz: "tar.gz",
  tar: "tar",
  zip: "zip",
  "tar.bz2": "bzip2",
  tbz: "bzip2",
  tbz2: "bzip2",
  tb2: "bzip2",
  bz2: "bzip2",
};

/** The format that the end of a path names. Throws 404 for another one, and 406 for those that are not made. */
export function archiveFormatOf(ending: string): ArchiveFormat {
  const format = Object.hasOwn(formats, ending) ? formats[ending] : undefined;
  if (format === undefined) throw unknownRoute();
  if (format === "bzip2") throw new Failure("not_acceptable", { message: "406 Not Acceptable" });
  return format;
}

interface WantedArchive {
  readonly format: ArchiveFormat;
  readonly sha?: string | undefined;
  readonly path?: string | undefined;
  readonly exclude_paths?: readonly string[] | undefined;
}

/** `GET /projects/:id/repository/archive`: made while it is sent. Throws 403; 404 `File Not Found`. */
export function getArchive(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  wanted: WantedArchive,
  gone: AbortSignal,
): Promise<FileContent> {
  if (!canReadCode(context, caller.user, project)) throw forbidden();
  const { format } = wanted;
  return readUntilEnd(context.repositories, placeOf(project), readerOf(caller), async (repository, onEnd) => {
    const order = await orderFor(repository, project, wanted);
    const pieces = repository.archive(order, format);
    return {
      contentType: format === "zip" ? "application/zip" : "application/octet-stream",
      content: sentPieces(pieces, gone, onEnd),
      headers: { "Content-Disposition": contentDisposition("attachment", `${order.folder}.${format}`) },
    };
  });
}

/** Throws 404 for an unknown commit or path. */
async function orderFor(
  repository: Repository,
  project: ProjectRecord,
  { sha, path = "", exclude_paths }: WantedArchive,
) {
  const revision = sha || (await defaultBranchOf(repository, project));
  const commit = revision === undefined ? undefined : await repository.resolve(revision);
  const wanted = trimCharacters(path, "/");
  if (revision === undefined || commit === undefined) throw notFound("File");
  if ((await repository.entryAt(commit.tree, wanted)) === undefined) throw notFound("File");
  const parts = [project.path, revision, commit.oid, ...(wanted === "" ? [] : [wanted])];
  return {
    commit: commit.oid,
    tree: commit.tree,
    time: commit.committer.timestamp,
    folder: parts.map((part) => part.replaceAll("/", "-")).join("-"),
    path: wanted,
    excluded: (exclude_paths ?? []).map((each) => trimCharacters(each, "/")),
  };
}

/** Bytes that are sent at a time: headers of files are small. */
const sentBytes = 64 << 10;

/** The pieces as a stream, which reads no more once it ends or the client is gone. */
function sentPieces(
  pieces: AsyncGenerator<Uint8Array<ArrayBuffer>>,
  gone: AbortSignal,
  onEnd: () => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const end = () => {
    gone.removeEventListener("abort", end);
    pieces.return(undefined).then(onEnd, onEnd);
  };
  gone.addEventListener("abort", end);
  // The client's pace bounds the work, not the budget of the request.
  const next = () => withoutBudget(() => gathered(pieces));
  return streamOf(async () => {
    try {
      const found = await next();
      if (found === undefined) end();
      return found;
    } catch (error) {
      end();
      throw error;
    }
  }, end);
}

async function gathered(pieces: AsyncGenerator<Uint8Array<ArrayBuffer>>): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  while (length < sentBytes) {
    const { done, value } = await pieces.next();
    if (done === true) break;
    parts.push(value);
    length += value.length;
  }
  return length === 0 ? undefined : Buffer.concat(parts, length);
}
