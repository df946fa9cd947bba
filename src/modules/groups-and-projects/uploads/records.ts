import { collection, field, multi, ordered, type RecordOf, record, unique } from "../../../store/index.ts";

/** A file that texts and releases of a project link to (releases 7). */
export const UploadRecord = record({
  id: field.whole,
  project_id: field.whole,
  /** 32 hexadecimal digits of its address, so that nobody guesses it. */
  folder: field.text,
  filename: field.text,
  /** Found in the bytes of pictures; `application/octet-stream` for all else. */
  content_type: field.text,
  /** Bytes. */
  size: field.whole,
  /** Hash of the blob. */
  blob: field.text,
  /** null: the account is gone. */
  user_id: field.nullable(field.whole),
  created_at: field.moment,
});
export type UploadRecord = RecordOf<typeof UploadRecord>;

export const uploads = collection("uploads", UploadRecord, {
  indexes: {
    place: unique((upload) => uploadPlace(upload.project_id, upload.folder)),
    project_id: multi(({ project_id }) => [project_id]),
    user_id: multi(({ user_id }) => (user_id === null ? [] : [user_id])),
    id: ordered(({ id }) => id),
  },
  blobsOf: ({ blob }) => [blob],
  references: { project_id: "projects", user_id: "users" },
});

export function uploadPlace(projectId: number, folder: string): string {
  return `${projectId} ${folder}`;
}
