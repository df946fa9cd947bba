import type { Failure } from "../../domain/failure.ts";
import { partsMax, tooManyElements } from "../params/parameter-limits.ts";
import { badRequest, refuseParameters } from "../params/refusals.ts";
import { FilePart, type RawValue, type RawValues } from "../params/values.ts";
import { GatheredValues } from "./brackets.ts";

/**
 * A multipart body as parameters; file parts become `FilePart`s, a file input without a file null
 * (rest-conventions 2.2). Throws 400 when it can't be read, and for bad text.
 */
export async function readMultipart(bytes: Uint8Array, contentType: string): Promise<RawValues> {
  refuseManyParts(bytes, contentType);
  const gathered = new GatheredValues();
  for (const [key, part] of await parse(bytes, contentType)) {
    gathered.put(checkText(key), typeof part === "string" ? checkText(part) : await readFile(part));
  }
  return gathered.values;
}

/** Counts what may begin a part, so that a hostile body is refused before the runtime makes its parts. */
function refuseManyParts(bytes: Uint8Array, contentType: string): void {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]*)"|([^";][^;]*))/i.exec(contentType) ?? [];
  const boundary = (quoted ?? bare ?? "").trimEnd();
  if (boundary === "") throw unreadable();
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const mark = Buffer.from(`--${boundary}`, "latin1");
  let count = 0;
  for (let at = body.indexOf(mark); at !== -1; at = body.indexOf(mark, at + mark.length)) {
    count += 1;
    // One more mark ends the last part.
    if (count > partsMax + 1) throw tooManyElements();
  }
}

async function parse(bytes: Uint8Array, contentType: string): Promise<[string, string | File][]> {
  try {
    const form = await new Response(bytes, { headers: { "content-type": contentType } }).formData();
    return Array.from(form.entries());
  } catch {
    throw unreadable();
  }
}

function unreadable(): Failure {
  return refuseParameters("The multipart body can't be read");
}

async function readFile(file: File): Promise<RawValue> {
  if (file.name === "" && file.size === 0) return null;
  return new FilePart({ filename: file.name, contentType: file.type, bytes: await file.bytes() });
}

function checkText(text: string): string {
  // The parser puts U+FFFD in the place of bytes that are not UTF-8.
  if (text.includes("\0") || text.includes("\uFFFD")) throw badRequest();
  return text;
}
