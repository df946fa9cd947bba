import type { Static } from "@sinclair/typebox";
import type { Caller } from "../../../../domain/caller.ts";
import { Failure, notFound } from "../../../../domain/failure.ts";
import type { Repository } from "../../../../git/index.ts";
import type { ProjectRecord } from "../../../core/namespaces/index.ts";
import type { Context } from "../../../kernel/context.ts";
import type { RepositoryFile } from "../schema.ts";
import { defaultBranchOf, readRepository } from "../service-repository-access.ts";

/** A file as it is at a revision. */
export interface FoundFile {
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly sha256: string;
  /** The ref in the request, or the default branch. */
  readonly ref: string;
  readonly blobId: string;
  readonly commitId: string;
  readonly lastCommitId: string;
  readonly isExecutable: boolean;
}

/** The number of bytes that are searched for a zero, which makes a file binary, as in git. */
const sniffedBytes = 8000;
/** The largest file in JSON, as base64: a larger one would hold up other requests while it is written. */
const jsonBytesMax = 16 * 1024 * 1024;

/** A file for `GET .../files/:file_path` and `/raw`. Throws 403; 404 `Commit Not Found` and `File Not Found`. */
export function getFile(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  path: string,
  ref: string | undefined,
): Promise<FoundFile> {
  return readRepository(context, caller, project, async (repository) => {
    const revision = ref || (await defaultBranchOf(repository, project));
    const commit = revision === undefined ? undefined : await repository.resolve(revision);
    if (revision === undefined || commit === undefined) throw notFound("Commit");
    const entry = await repository.entryAt(commit.tree, path);
    if (entry?.type !== "blob") throw notFound("File");
    const [bytes, last] = await Promise.all([repository.blob(entry.oid), repository.lastCommitOf(commit, path)]);
    return {
      path,
      bytes,
      sha256: Buffer.from(await crypto.subtle.digest("SHA-256", bytes)).toString("hex"),
      ref: revision,
      blobId: entry.oid,
      commitId: commit.oid,
      lastCommitId: last.oid,
      isExecutable: entry.mode === "100755",
    };
  });
}

/** triggers-and-pipelines 7, "read file". Throws 413 for what is too large for JSON. */
export function presentFile(file: FoundFile): Static<typeof RepositoryFile> {
  if (file.bytes.byteLength > jsonBytesMax) {
    throw new Failure("too_large", { message: "The file is larger than 16 MiB: its bytes are at .../raw" });
  }
  return {
    file_name: nameOf(file.path),
    file_path: file.path,
    size: file.bytes.byteLength,
    encoding: "base64" as const,
    content: Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.byteLength).toString("base64"),
    content_sha256: file.sha256,
    ref: file.ref,
    blob_id: file.blobId,
    commit_id: file.commitId,
    last_commit_id: file.lastCommitId,
    execute_filemode: file.isExecutable,
  };
}

/** The bytes themselves, as text where they may be one. */
export function rawContent(file: FoundFile) {
  return {
    contentType: file.bytes.subarray(0, sniffedBytes).includes(0)
      ? "application/octet-stream"
      : "text/plain; charset=utf-8",
    content: file.bytes,
    headers: {
      "Content-Disposition": `inline; filename*=UTF-8''${encodeURIComponent(nameOf(file.path))}`,
      ...fileHeaders(file),
    },
  };
}

/** The headers that describe a file, also in the answer to a HEAD. */
export const fileHeaderTexts = {
  "X-Gitlab-Blob-Id": "id of the blob",
  "X-Gitlab-Commit-Id": "commit that was asked for",
  "X-Gitlab-Content-Sha256": "SHA-256 of the content",
  "X-Gitlab-Encoding": "base64",
  "X-Gitlab-Execute-Filemode": "true for an executable file",
  "X-Gitlab-File-Name": "last part of the path; percent-encoded where it is not ASCII",
  "X-Gitlab-File-Path": "path; percent-encoded where it is not ASCII",
  "X-Gitlab-Last-Commit-Id": "last commit that changed the file",
  "X-Gitlab-Ref": "branch, tag or commit; percent-encoded where it is not ASCII",
  "X-Gitlab-Size": "bytes of the content",
} as const;

export function fileHeaders(file: FoundFile): Record<keyof typeof fileHeaderTexts, string> {
  return {
    "X-Gitlab-Blob-Id": file.blobId,
    "X-Gitlab-Commit-Id": file.commitId,
    "X-Gitlab-Content-Sha256": file.sha256,
    "X-Gitlab-Encoding": "base64",
    "X-Gitlab-Execute-Filemode": String(file.isExecutable),
    "X-Gitlab-File-Name": headerText(nameOf(file.path)),
    "X-Gitlab-File-Path": headerText(file.path),
    "X-Gitlab-Last-Commit-Id": file.lastCommitId,
    "X-Gitlab-Ref": headerText(file.ref),
    "X-Gitlab-Size": String(file.bytes.byteLength),
  };
}

/** A header holds ASCII alone. */
function headerText(text: string): string {
  return text.toWellFormed().replace(/[^\x20-\x7e]+/g, encodeURIComponent);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The commit of a revision, or of the default branch; undefined in an empty repository without a revision. */
export async function commitAt(repository: Repository, project: ProjectRecord, revision: string | undefined) {
  const named = revision || (await defaultBranchOf(repository, project));
  if (named === undefined) return undefined;
  const commit = await repository.resolve(named);
  if (commit === undefined) throw notFound("Commit");
  return commit;
}
