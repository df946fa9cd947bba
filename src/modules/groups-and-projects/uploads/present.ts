import type { Static } from "@sinclair/typebox";
import { findUser } from "../../core/users/index.ts";
import type { View } from "../../kernel/view.ts";
import type { UploadRecord } from "./records.ts";
import type { NewUpload, Upload } from "./schema.ts";

/** Ends of the names of files that texts show in their place. */
const embedded = /\.(png|jpe?g|gif|bmp|tiff|ico|webp|mp4|m4v|mov|webm|ogv|mp3|oga|ogg|spx|wav)$/i;

/** releases 7. */
export function presentNewUpload(
  { id, project_id, folder, filename }: UploadRecord,
  _: View,
): Static<typeof NewUpload> {
  const isEmbedded = embedded.test(filename);
  const alt = isEmbedded ? filename.slice(0, filename.lastIndexOf(".")) : filename;
  const url = `/uploads/${folder}/${filename}`;
  const markdown = `${isEmbedded ? "!" : ""}[${alt}](${url})`;
  return { id, alt, url, full_path: `/-/project/${project_id}${url}`, markdown };
}

/** releases 7. */
export function presentUpload(upload: UploadRecord, { context }: View): Static<typeof Upload> {
  const { id, size, filename, created_at, user_id } = upload;
  const user = user_id === null ? undefined : findUser(context.store, user_id);
  const uploaded_by = user === undefined ? null : { id: user.id, name: user.name, username: user.username };
  return { id, size, filename, created_at, uploaded_by };
}
