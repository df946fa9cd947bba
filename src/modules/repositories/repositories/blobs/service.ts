import type { Caller } from "../../../../domain/caller.ts";
import { Failure, notFound } from "../../../../domain/failure.ts";
import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import type { FileContent } from "../../../kernel/operation.ts";
import { type FileBytes, rawAnswer, withContent } from "../content.ts";
import { readRepository } from "../service-repository-access.ts";

/** The largest blob in JSON, as base64. */
const jsonBytesMax = 16 << 20;

/** The content of a file, whatever its paths are. */
interface FoundBlob {
  readonly sha: string;
  readonly size: number;
  readonly content: FileBytes;
}

/** Throws 403; 404 `Blob Not Found`, also for what is no file; 413 above `bytesMax`. */
function findBlob(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  id: string,
  bytesMax = Number.POSITIVE_INFINITY,
): Promise<FoundBlob> {
  return readRepository(context, caller, project, async (repository) => {
    const sha = await repository.findBlob(id);
    if (sha === undefined) throw notFound("Blob");
    const size = await repository.blobSize(sha);
    if (size > bytesMax) {
      throw new Failure("too_large", { message: "The blob is larger than 16 MiB: its bytes are at .../raw" });
    }
    return { sha, size, content: await repository.content(sha) };
  });
}

/** `GET /projects/:id/repository/blobs/:sha`: the answer, or the JSON of a large blob in pieces. Throws what `findBlob` throws. */
export async function getBlobJson(context: Context, caller: Caller, project: ProjectRecord, id: string) {
  const { sha, size, content } = await findBlob(context, caller, project, id, jsonBytesMax);
  return withContent({ size, encoding: "base64" as const, content: "", sha }, content);
}

/** The bytes themselves. Throws what `findBlob` throws. */
export async function getRawBlob(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  id: string,
): Promise<FileContent> {
  const { sha, content } = await findBlob(context, caller, project, id);
  return { ...(await rawAnswer(content)), headers: { "Content-Disposition": "inline", ETag: `W/"${sha}"` } };
}
