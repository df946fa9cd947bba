import { putValue } from "./brackets.ts";
import { elementsMax, tooManyElements } from "./parameter-limits.ts";
import { badRequest, refuseParameters } from "./refusals.ts";
import { emptyValues, FilePart, type RawValue, type RawValues } from "./values.ts";

/**
 * A multipart body as parameters; file parts become `FilePart`s, a file input without a file null
 * (rest-conventions 2.2). Throws 400 when it can't be read, and for bad text.
 */
export async function readMultipart(bytes: Uint8Array, contentType: string): Promise<RawValues> {
  const values = emptyValues();
  let count = 0;
  for (const [key, part] of await parse(bytes, contentType)) {
    count += 1;
    if (count > elementsMax) throw tooManyElements();
    putValue(values, checkText(key), typeof part === "string" ? checkText(part) : await readFile(part));
  }
  return values;
}

async function parse(bytes: Uint8Array, contentType: string): Promise<[string, string | File][]> {
  try {
    const form = await new Response(bytes, { headers: { "content-type": contentType } }).formData();
    return Array.from(form.entries());
  } catch {
    throw refuseParameters("The multipart body can't be read");
  }
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
