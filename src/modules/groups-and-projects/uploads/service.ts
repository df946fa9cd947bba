import type { SignedInCaller } from "../../../domain/caller.ts";
import { notFound, requireUnmodified } from "../../../domain/failure.ts";
import type { Page, PageRequest } from "../../../domain/page.ts";
import type { Upload } from "../../../domain/parameters.ts";
import { type DateTime, toDateTime } from "../../../lib/datetime.ts";
import { detectImage } from "../../../lib/image.ts";
import { contentDisposition } from "../../../lib/text/content-disposition.ts";
import type { Store, Transaction } from "../../../store/index.ts";
import { getProject, requireUnarchived } from "../../core/access/index.ts";
import { addToStatistics, Quotas, subtractFromStatistics } from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
import type { FileContent } from "../../kernel/operation.ts";
import { insertRecord, removeRecord } from "../../kernel/record-events.ts";
import { plainFilename } from "../../kernel/uploaded-avatar.ts";
import type { ProjectRecord } from "../projects/records.ts";
import { uploadEvents } from "./events.ts";
import { type UploadRecord, uploadPlace, uploads } from "./records.ts";

const otherType = "application/octet-stream";
const filenameLengthMax = 255;

/** `GET …/uploads`, the newest first. */
export function listUploads(store: Store, { id }: ProjectRecord, page: PageRequest): Page<UploadRecord> {
  const where = [{ index: "project_id", key: id } as const];
  return store.page(uploads, { where, order: "id", descending: true, page });
}

/** Throws 404. */
export function getUpload(store: Store, { id: projectId }: ProjectRecord, id: number): UploadRecord {
  const upload = store.of(uploads).get(id);
  if (upload?.project_id !== projectId) throw notFound();
  return upload;
}

/** Throws 404. */
export function getUploadAt(store: Store, { id }: ProjectRecord, folder: string, filename: string): UploadRecord {
  const found = store.of(uploads).by.place.find(uploadPlace(id, folder));
  const upload = found === undefined ? undefined : store.of(uploads).get(found);
  if (upload?.filename !== filename) throw notFound();
  return upload;
}

/** `POST …/uploads`. Throws 403 and 507. */
export async function createUpload(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  { filename, bytes }: Upload,
): Promise<UploadRecord> {
  requireUnarchived({ project });
  const stored = await context.get(Quotas).writeBlob(`project ${project.id}`, [bytes]);
  try {
    return context.store.transact((tx) => {
      // A large file takes long enough to lose sight of the project in.
      const now = getProject(context, caller, project.id);
      requireUnarchived({ project: now });
      addToStatistics(tx, context, now.id, { uploads_size: stored.size });
      return insertRecord(tx, context, caller, uploadEvents, {
        id: tx.nextId("uploads"),
        project_id: now.id,
        folder: folderName(context),
        filename: plainFilename(filename, filenameLengthMax) || "file",
        content_type: detectImage(bytes)?.contentType ?? otherType,
        size: stored.size,
        blob: stored.hash,
        user_id: caller.user.id,
        created_at: toDateTime(context.clock.now()),
      });
    });
  } finally {
    stored.release();
  }
}

/** `DELETE …/uploads`. Throws 412. */
export function deleteUpload(
  context: Context,
  caller: SignedInCaller,
  upload: UploadRecord,
  unmodifiedSince: DateTime | undefined,
): void {
  requireUnmodified({ updated_at: upload.created_at }, unmodifiedSince);
  context.store.transact((tx) => {
    subtractFromStatistics(tx, context.store, upload.project_id, { uploads_size: upload.size });
    removeRecord(tx, context, caller, uploadEvents, upload.id);
  });
}

/** The file; `isShown`: browsers show pictures in the page. */
export function contentOf({ store }: Context, upload: UploadRecord, isShown: boolean): FileContent {
  const { content_type, filename, blob } = upload;
  const kind = isShown && content_type !== otherType ? "inline" : "attachment";
  return {
    contentType: content_type,
    content: Bun.file(store.blobs.pathOf(blob)),
    headers: { "Content-Disposition": contentDisposition(kind, filename), ETag: `"${blob}"` },
  };
}

/** Uploads stay without the account of their sender. */
export function removeSender(tx: Transaction, store: Store, id: number): void {
  tx.update(uploads, { ...(store.of(uploads).get(id) as UploadRecord), user_id: null });
}

function folderName({ randomness }: Context): string {
  return Buffer.from(Array.from({ length: 16 }, () => randomness.below(256))).toString("hex");
}
