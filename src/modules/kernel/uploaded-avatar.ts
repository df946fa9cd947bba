import type { Upload } from "../../domain/parameters.ts";
import { detectImage, hasImageExtension, imageTypes } from "../../lib/image.ts";
import { normalizeUnicode } from "../../lib/text/unicode.ts";
import type { Context } from "./context.ts";
import type { FileContent } from "./operation.ts";
import { Quotas } from "./storage-quotas.ts";

/** An avatar that a user uploaded, as the record of its owner has it. Its bytes are a blob of the store. */
export interface UploadedAvatar {
  /** Hash of the blob. */
  readonly blob: string;
  /** The last part of its URL. */
  readonly filename: string;
  readonly content_type: string;
  /** Bytes. */
  readonly size: number;
}

const avatarBytesMax = 200 * 1024;
const filenameLengthMax = 100;

/**
 * The problem with an avatar, as the end of a sentence about it (users-and-auth 7 and 13); undefined if there is none.
 */
export function avatarProblem({ bytes }: Upload): string | undefined {
  if (bytes.byteLength > avatarBytesMax) return "is too big (should be at most 200 KiB)";
  if (detectImage(bytes) !== undefined) return undefined;
  return `file format is not supported. Please try one of the following supported formats: ${imageTypes.join(", ")}`;
}

/**
 * Puts a picture without problems on disk and hands it to `use`, which names it in a document; waits, and calls `use`
 * without a picture when there is none. Throws 507.
 */
export async function withStoredAvatar<R>(
  context: Context,
  upload: Upload | null | undefined,
  use: (avatar: UploadedAvatar | undefined) => R,
): Promise<R> {
  const format = upload ? detectImage(upload.bytes) : undefined;
  if (!upload || format === undefined) return use(undefined);
  const stored = await context.get(Quotas).writeBlob("server", [upload.bytes]);
  try {
    const filename = safeFilename(upload.filename, format.extensions[0] as string);
    return use({ blob: stored.hash, filename, content_type: format.contentType, size: stored.size });
  } finally {
    stored.release();
  }
}

/** The bytes of an avatar, with the type that they have, whatever its name says. */
export function avatarContent({ store }: Context, avatar: UploadedAvatar): FileContent {
  return {
    contentType: avatar.content_type,
    content: new Uint8Array(store.blobs.read(avatar.blob)),
    headers: { "Content-Disposition": `inline; filename*=UTF-8''${encodeURIComponent(avatar.filename)}` },
  };
}

/** A name with the end of its format, and as `plainFilename`. */
function safeFilename(given: string, extension: string): string {
  const plain = plainFilename(given);
  const isPicture = hasImageExtension(plain);
  const dot = plain.lastIndexOf(".");
  const stem = dot > 0 ? plain.slice(0, dot) : plain;
  const end = isPicture ? plain.slice(dot + 1) : extension;
  return `${[...stem].slice(0, filenameLengthMax).join("") || "avatar"}.${end}`;
}

/** A name without folders and without characters that mean something in a path, a URL or a header; the end of a long one stays. */
export function plainFilename(given: string, lengthMax = Number.POSITIVE_INFINITY): string {
  const last = given.slice(Math.max(given.lastIndexOf("/"), given.lastIndexOf("\\")) + 1);
  const plain = normalizeUnicode(last, "NFC")
    .replace(/[^\p{L}\p{N}_.+-]/gu, "_")
    .replace(/^\.+/, "");
  const characters = [...plain];
  return characters.slice(Math.max(characters.length - lengthMax, 0)).join("");
}
