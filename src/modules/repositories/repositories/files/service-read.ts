import type { Static } from "@sinclair/typebox";
import type { Caller } from "../../../../domain/caller.ts";
import { Failure, notFound } from "../../../../domain/failure.ts";
import { isFilePath, type Repository } from "../../../../git/index.ts";
import { contentDisposition } from "../../../../lib/text/content-disposition.ts";
import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import type { FileContent } from "../../../kernel/operation.ts";
import { type FileBytes, rawAnswer, withContent } from "../content.ts";
import type { RepositoryFile } from "../schema.ts";
import { defaultBranchOf, readRepository } from "../service-repository-access.ts";

/** A file as it is at a revision. */
export interface FoundFile {
  readonly path: string;
  readonly size: number;
  readonly content: FileBytes;
  readonly sha256: string;
  /** The ref in the request, or the default branch. */
  readonly ref: string;
  readonly blobId: string;
  readonly commitId: string;
  readonly lastCommitId: string;
  readonly isExecutable: boolean;
}

/** The largest file in JSON, as base64. */
export const jsonBytesMax = 16 * 1024 * 1024;

/** A file for `GET .../files/:file_path` and `/raw`. Throws 400 for what is no path, 403, 404 `Commit Not Found` and `File Not Found`, 413 above `bytesMax`. */
export function getFile(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  { file_path: path, ref }: { readonly file_path: string; readonly ref?: string | undefined },
  bytesMax = Number.POSITIVE_INFINITY,
): Promise<FoundFile> {
  requireFilePath(path);
  return readRepository(context, caller, project, (repository) =>
    getFileAt(repository, project, { path, ref }, bytesMax),
  );
}

/** Throws 400 for what is no path. */
export function requireFilePath(path: string): void {
  if (!isFilePath(path)) throw new Failure("parameters", { error: "file_path should be a valid file path" });
}

/** Throws 404 `Commit Not Found` and `File Not Found`, 413 above `bytesMax`. */
export async function getFileAt(
  repository: Repository,
  project: ProjectRecord,
  { path, ref }: { readonly path: string; readonly ref: string | undefined },
  bytesMax: number,
): Promise<FoundFile> {
  const revision = ref || (await defaultBranchOf(repository, project));
  const commit = revision === undefined ? undefined : await repository.resolve(revision);
  if (revision === undefined || commit === undefined) throw notFound("Commit");
  const entry = await repository.entryAt(commit.tree, path);
  if (entry?.type !== "blob") throw notFound("File");
  const last = await repository.lastCommitOf(commit, path);
  return {
    path,
    ...(await contentOf(repository, entry.oid, bytesMax)),
    ref: revision,
    blobId: entry.oid,
    commitId: commit.oid,
    lastCommitId: last.oid,
    isExecutable: entry.mode === "100755",
  };
}

/** Throws 413 for more bytes. */
async function contentOf(
  repository: Repository,
  oid: string,
  bytesMax: number,
): Promise<Pick<FoundFile, "size" | "content" | "sha256">> {
  const size = await repository.blobSize(oid);
  if (size > bytesMax) throw tooLarge();
  return { size, ...(await repository.hashedContent(oid)) };
}

function tooLarge(): Failure {
  return new Failure("too_large", { message: "The file is larger than 16 MiB: its bytes are at .../raw" });
}

/** triggers-and-pipelines 7, "read file": the answer, or the JSON of a large file in pieces. Throws what `getFile` throws. */
export async function getFileJson(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  file: { readonly file_path: string; readonly ref?: string | undefined },
) {
  const found = await getFile(context, caller, project, file, jsonBytesMax);
  return { body: withContent(presentFile(found), found.content), headers: fileHeaders(found) };
}

/** The file without its content. */
function presentFile(file: FoundFile): Static<typeof RepositoryFile> {
  return {
    file_name: nameOf(file.path),
    file_path: file.path,
    size: file.size,
    encoding: "base64" as const,
    content: "",
    content_sha256: file.sha256,
    ref: file.ref,
    blob_id: file.blobId,
    commit_id: file.commitId,
    last_commit_id: file.lastCommitId,
    execute_filemode: file.isExecutable,
  };
}

/** The bytes themselves, as text where they may be one. Throws what `getFile` throws. */
export async function getRawFile(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  params: { readonly file_path: string; readonly ref?: string | undefined },
): Promise<FileContent> {
  const file = await getFile(context, caller, project, params);
  const { content } = file;
  return {
    ...(await rawAnswer(content)),
    headers: {
      "Content-Disposition": contentDisposition("inline", nameOf(file.path)),
      ...(content instanceof Uint8Array ? {} : { ETag: `W/"${file.blobId}"` }),
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
    "X-Gitlab-Size": String(file.size),
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
