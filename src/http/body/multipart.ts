import type { Failure } from "../../domain/failure.ts";
import { scanBytes } from "../../domain/text-scans.ts";
import { currentScans, spend } from "../../domain/work-budget.ts";
import { OneAtATime } from "../../lib/one-at-a-time.ts";
import { paceOf } from "../../lib/yield.ts";
import {
  filenameLengthMax,
  filenameTooLong,
  partHeaderBytesMax,
  partHeadersMax,
  partHeadersTooLarge,
  partsMax,
  tooManyElements,
} from "../params/parameter-limits.ts";
import { badRequest, refuseParameters } from "../params/refusals.ts";
import { FilePart, type RawValue, type RawValues } from "../params/values.ts";
import { GatheredValues } from "./brackets.ts";
import { extractFiles, placeBytes } from "./large-parts.ts";

const endOfLine = Buffer.from("\r\n");
const endOfHeaders = Buffer.from("\r\n\r\n");
/** Larger bodies are parsed one at a time, since each blocks the event loop. */
const largeBytesMin = 1024 * 1024;
const largeBodies = new OneAtATime();

/** The steps of a part, and the bytes outside of large files that cost one step: they are decoded and copied. */
const partSteps = 100;
const bytesPerStep = 4;

type Part = [key: string, part: string | File | FilePart];

/**
 * Returns the parameters of a multipart body (rest-conventions 2.2). File parts become `FilePart`s; large ones share the
 * memory of the body. A file input without a file is null. Throws 400 for an unreadable body, bad text, and a part with too
 * long headers, name or file name. Throws the error of `refuse` when there are more than `textBytesMax` besides large files.
 */
export function readMultipart(
  bytes: Uint8Array,
  contentType: string,
  textBytesMax: number,
  refuse: () => Failure,
): Promise<RawValues> {
  const read = () =>
    readParts(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), contentType, (textBytes) => {
      if (textBytes > textBytesMax) throw refuse();
    });
  return bytes.length < largeBytesMin ? read() : largeBodies.run(read);
}

async function readParts(
  body: Buffer,
  contentType: string,
  checkSize: (textBytes: number) => void,
): Promise<RawValues> {
  const mark = Buffer.from(`--${boundaryOf(contentType)}`, "latin1");
  const marks = await marksIn(body, mark);
  for (const at of marks) checkHeaders(body, at + mark.length);
  const skeleton = extractFiles(body, marks, mark.length);
  const { length } = skeleton?.bytes ?? body;
  checkSize(length);
  spend(marks.length * partSteps + length / bytesPerStep, "input");
  const parts = skeleton && (await putBack(await parse(skeleton.bytes, contentType), skeleton.contents));
  const gathered = new GatheredValues();
  for (const [key, part] of parts ?? (await parse(body, contentType))) {
    gathered.put(checkText(key), typeof part === "string" ? checkText(part) : await fileOf(part));
  }
  return gathered.values;
}

/**
 * Replaces placeholders with contents. Returns undefined when a placeholder is only a part of a file, since a file contains
 * the boundary.
 */
async function putBack(
  parts: readonly Part[],
  contents: ReadonlyMap<string, Uint8Array>,
): Promise<readonly Part[] | undefined> {
  let left = contents.size;
  const whole: Part[] = [];
  for (const [key, part] of parts) {
    const mayBePlace = part instanceof File && part.size === placeBytes;
    const content = mayBePlace ? contents.get(await part.text()) : undefined;
    if (content !== undefined) left -= 1;
    whole.push([key, content === undefined ? part : filePart(part as File, content)]);
  }
  return left === 0 ? whole : undefined;
}

function boundaryOf(contentType: string): string {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]*)"|([^";][^;]*))/i.exec(contentType) ?? [];
  const boundary = (quoted ?? bare ?? "").trimEnd();
  if (boundary === "") throw unreadable();
  return boundary;
}

/**
 * Returns the offsets of possible boundaries. Throws 400 for too many, before the runtime makes the parts of a hostile body.
 * Pauses for other work: a boundary that nearly matches everywhere takes 3 ns per byte.
 */
async function marksIn(body: Buffer, mark: Buffer): Promise<number[]> {
  const marks: number[] = [];
  const scans = currentScans();
  const pace = paceOf(() => false);
  let next = 0;
  for (let start = 0; start < body.length; start += scanBytes) {
    const end = start + scanBytes + mark.length - 1;
    const piece = body.subarray(0, end);
    scans?.charge(scanBytes);
    next = Math.max(next, start);
    for (let at = piece.indexOf(mark, next); at !== -1; at = piece.indexOf(mark, next)) {
      marks.push(at);
      next = at + mark.length;
      // One more boundary ends the last part.
      if (marks.length > partsMax + 1) throw tooManyElements();
    }
    const turn = pace();
    if (turn !== true) await turn;
  }
  return marks;
}

/** Throws 400 when a part begins at an offset and has too many headers. The runtime's parser has no limit. */
function checkHeaders(body: Buffer, start: number): void {
  if (!body.subarray(start, start + endOfLine.length).equals(endOfLine)) return;
  const head = body.subarray(start, start + partHeaderBytesMax);
  const length = head.indexOf(endOfHeaders);
  if (length === -1 && head.length === partHeaderBytesMax) throw partHeadersTooLarge();
  let headers = 0;
  for (let at = head.indexOf(endOfLine); at !== -1 && at < length; at = head.indexOf(endOfLine, at + 1)) {
    headers += 1;
    if (headers > partHeadersMax) throw partHeadersTooLarge();
  }
}

async function parse(bytes: Uint8Array, contentType: string): Promise<Part[]> {
  try {
    const form = await new Response(bytes, { headers: { "content-type": contentType } }).formData();
    return Array.from(form.entries());
  } catch {
    throw unreadable();
  }
}

async function fileOf(part: File | FilePart): Promise<RawValue> {
  if (part instanceof FilePart) return part;
  return part.size === 0 && filenameOf(part) === "" ? null : filePart(part, await part.bytes());
}

/** Makes every file of a multipart body, so that no reader needs to limit the file name. */
function filePart(file: File, bytes: Uint8Array): FilePart {
  const filename = filenameOf(file);
  if (filename.length > filenameLengthMax) throw filenameTooLong();
  return new FilePart({ filename, bytes });
}

/** Returns the file name. The runtime leaves out an empty name, although its type says otherwise. */
function filenameOf({ name }: { readonly name?: string }): string {
  return name ?? "";
}

function unreadable(): Failure {
  return refuseParameters("The multipart body can't be read");
}

function checkText(text: string): string {
  // The parser replaces bytes that are not UTF-8 with U+FFFD.
  if (text.includes("\0") || text.includes("\uFFFD")) throw badRequest();
  return text;
}
