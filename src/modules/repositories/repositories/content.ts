/** The bytes of files of a repository in answers. */

import type { BlobStream } from "../../../git/index.ts";
import { streamOf } from "../../../lib/byte-pieces.ts";
import type { FileContent } from "../../kernel/operation.ts";

/** All bytes of a file, or a large file in pieces. */
export type FileBytes = Uint8Array<ArrayBuffer> | BlobStream;

/** The number of bytes that are searched for a zero, which makes a file binary, as in git. */
const sniffedBytes = 8000;

/** The bytes themselves, as text where they may be one. */
export async function rawAnswer(content: FileBytes): Promise<Pick<FileContent, "contentType" | "content">> {
  const first = content instanceof Uint8Array ? content : await content.next();
  return {
    contentType: first?.subarray(0, sniffedBytes).includes(0)
      ? "application/octet-stream"
      : "text/plain; charset=utf-8",
    content: content instanceof Uint8Array ? content : content.toStream(...(first === undefined ? [] : [first])),
  };
}

/** An answer with its `content` in base64, or the JSON of it in pieces where the file is large. */
export function withContent<T extends { readonly content: string }>(
  shown: T,
  content: FileBytes,
): T | ReadableStream<Uint8Array<ArrayBuffer>> {
  if (content instanceof Uint8Array) return { ...shown, content: base64Of(content) };
  const pieces = jsonPieces(shown, content);
  return streamOf(
    async () => (await pieces.next()).value,
    () => content.close(),
  );
}

/** The JSON of an answer with the content where it has an empty text. */
async function* jsonPieces(
  shown: { readonly content: string },
  content: BlobStream,
): AsyncGenerator<Uint8Array<ArrayBuffer>, undefined> {
  const json = JSON.stringify(shown);
  const at = json.indexOf('"content":""') + '"content":"'.length;
  yield Buffer.from(json.slice(0, at));
  let rest: Uint8Array<ArrayBuffer> = new Uint8Array();
  for (let piece = await content.next(); piece !== undefined; piece = await content.next()) {
    // Base64 has four characters for three bytes.
    const bytes = Buffer.concat([rest, piece]);
    const whole = bytes.length - (bytes.length % 3);
    rest = bytes.subarray(whole);
    yield Buffer.from(bytes.toString("base64", 0, whole));
  }
  yield Buffer.from(base64Of(rest) + json.slice(at));
}

function base64Of({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("base64");
}
