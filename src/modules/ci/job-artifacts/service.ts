import { invalid, notFound } from "../../../domain/failure.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import { contentDisposition } from "../../../lib/text/content-disposition.ts";
import type { Store, StoredBlob, Transaction } from "../../../store/index.ts";
import { enqueueJob, type JobKind, jobKind } from "../../core/background-jobs/index.ts";
import { addToStatistics, subtractFromStatistics } from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
import type { FileContent } from "../../kernel/operation.ts";
import type { View } from "../../kernel/view.ts";
import type { DotenvVariable } from "./dotenv.ts";
import { type JobArtifactRecord, jobArtifacts } from "./records.ts";
import { fileInZip, hasFolder } from "./zip.ts";

export type NewArtifact = Pick<
  JobArtifactRecord,
  "job_id" | "project_id" | "file_type" | "file_format" | "filename" | "variables" | "access"
>;

/**
 * Keeps a file, which is on disk already; the caller releases the blob. A runner may send a file again when it got no answer.
 * Throws 400 for another one of the same type.
 */
export function insertArtifact(
  tx: Transaction,
  context: Context,
  artifact: NewArtifact,
  { hash, size }: StoredBlob,
  lifeMs: number | undefined,
): JobArtifactRecord {
  const known = artifactsOf(context.store, artifact.job_id).find(({ file_type }) => file_type === artifact.file_type);
  if (known?.blob === hash) return known;
  if (known !== undefined) throw invalid("another artifact of the same type already exists");
  const id = tx.nextId("job_artifacts");
  const expires_at = lifeMs === undefined ? null : toDateTime(context.clock.now() + lifeMs);
  if (expires_at !== null) {
    enqueueJob(tx, context, { kind: artifactExpiry.kind, payload: { artifact_id: id }, due_at: expires_at });
  }
  addToStatistics(tx, context, artifact.project_id, { job_artifacts_size: size });
  return tx.insert(jobArtifacts, { id, ...artifact, size, blob: hash, expires_at });
}

export const artifactExpiry: JobKind = jobKind<{ readonly artifact_id: number }>({
  kind: "artifact_expiry",
  run({ context: { store }, payload: { artifact_id: id }, complete }) {
    store.transact((tx) => {
      const artifact = store.of(jobArtifacts).get(id);
      // A user may have chosen to keep it by now.
      if (artifact !== undefined && artifact.expires_at !== null) removeArtifact(tx, store, artifact);
      complete(tx);
    });
  },
});

/** The artifacts of a job, oldest first. */
function artifactsOf(store: Store, jobId: number): JobArtifactRecord[] {
  const documents = store.of(jobArtifacts);
  return [...documents.by.job_id.find(jobId)].map((id) => documents.get(id) as JobArtifactRecord);
}

export function findArchive(store: Store, jobId: number): JobArtifactRecord | undefined {
  return artifactsOf(store, jobId).find(({ file_type }) => file_type === "archive");
}

/** The archive of a job, to be saved. Throws 404. */
export function getArchive(store: Store, jobId: number): FileContent {
  const archive = findArchive(store, jobId);
  if (archive === undefined) throw notFound();
  return {
    contentType: "application/octet-stream",
    content: Bun.file(store.blobs.pathOf(archive.blob)),
    headers: { ...headersOf(archive, archive.filename), "Content-Transfer-Encoding": "binary" },
  };
}

/** @param filename what it is saved as */
function headersOf({ blob }: JobArtifactRecord, filename: string): Record<string, string> {
  return { "Content-Disposition": contentDisposition("attachment", filename), ETag: `"${blob}"` };
}

/** One file of the archive of a job. Throws 404. */
export async function getArchivedFile(store: Store, jobId: number, path: string): Promise<FileContent> {
  const archive = findArchive(store, jobId);
  if (archive === undefined) throw notFound();
  const file = await fileInZip(Bun.file(store.blobs.pathOf(archive.blob)), path);
  if (file === undefined) throw notFound();
  const { content } = file;
  // The path is in the address: another archive is all that can change there.
  return { contentType: "application/octet-stream", content, headers: headersOf(archive, path.replace(/^.*\//s, "")) };
}

/** The text of a file of an archive, no longer than a limit, or why there is none. */
export async function readArchivedText(
  store: Store,
  { blob }: JobArtifactRecord,
  path: string,
  bytesMax: number,
): Promise<
  { readonly text: string } | { readonly missing: "file" | "folder" | "content" } | { readonly size: number }
> {
  const archive = Bun.file(store.blobs.pathOf(blob));
  const file = await fileInZip(archive, path);
  if (file === undefined) return { missing: (await hasFolder(archive, path)) ? "folder" : "file" };
  if (file.size > bytesMax) return { size: file.size };
  const bytes = await bytesOf(file.content, bytesMax);
  return bytes === undefined ? { missing: "content" } : { text: new TextDecoder().decode(bytes) };
}

/** undefined for more bytes than the archive says, and for what cannot be inflated. */
async function bytesOf(content: ReadableStream<Uint8Array>, bytesMax: number): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of content) {
      size += piece.byteLength;
      if (size > bytesMax) return undefined;
      pieces.push(piece);
    }
  } catch {
    // A runner may have sent anything under the name of an archive.
    return undefined;
  }
  return Buffer.concat(pieces);
}

/** The variables of the dotenv reports of some jobs; of two with one name, the later job's counts. */
export function listDotenvVariables(store: Store, jobIds: readonly number[]): DotenvVariable[] {
  return jobIds.flatMap((id) => artifactsOf(store, id).flatMap(({ variables = [] }) => variables));
}

export function hasArtifacts(store: Store, jobId: number): boolean {
  return artifactsOf(store, jobId).length > 0;
}

/** Removes the expiry of a job's artifacts. */
export function keepArtifacts(tx: Transaction, store: Store, jobId: number): void {
  for (const artifact of artifactsOf(store, jobId)) {
    if (artifact.expires_at !== null) tx.update(jobArtifacts, { ...artifact, expires_at: null });
  }
}

/** Forgets what a job has left. */
export function removeArtifacts(tx: Transaction, store: Store, jobId: number): void {
  for (const artifact of artifactsOf(store, jobId)) removeArtifact(tx, store, artifact);
}

function removeArtifact(tx: Transaction, store: Store, { id, project_id, size }: JobArtifactRecord): void {
  subtractFromStatistics(tx, store, project_id, { job_artifacts_size: size });
  tx.remove(jobArtifacts, id);
}

/** The fields of a job about its artifacts (triggers-and-pipelines 4). */
export function presentArtifacts(jobId: number, { context: { store } }: Pick<View, "context">) {
  const files = artifactsOf(store, jobId);
  const archive = files.find(({ file_type }) => file_type === "archive");
  return {
    artifacts: files.map(({ file_type, size, filename, file_format }) => ({ file_type, size, filename, file_format })),
    ...(archive === undefined ? {} : { artifacts_file: { filename: archive.filename, size: archive.size } }),
    artifacts_expire_at: archive?.expires_at ?? null,
  };
}
