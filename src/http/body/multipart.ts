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
import { placeBytes, takeOutFiles } from "./large-parts.ts";

const endOfLine = Buffer.from("\r\n");
const endOfHeaders = Buffer.from("\r\n\r\n");
/** Bodies of this size or more are parsed one at a time: each holds the event loop. */
const largeBytesMin = 1024 * 1024;
const largeBodies = new OneAtATime();

/** The steps of a part, whatever is in it, and the bytes beside large files that take one step: they are decoded and copied. */
const partSteps = 100;
const bytesPerStep = 4;

type Part = [key: string, part: string | File | FilePart];

/**
 * A multipart body as parameters; file parts become `FilePart`s, which share the memory of the body where they are large,
 * a file input without a file null (rest-conventions 2.2). Throws 400 when it can't be read, for bad text, and for a part
 * whose headers, name or file name is too long; and what `refuse` makes where it has
 * more than `textBytesMax` beside its large files.
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
  const skeleton = takeOutFiles(body, marks, mark.length);
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

/** Puts contents in the places of files. undefined: a place is not all of a file, since a file has the boundary in it. */
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
 * Places of what may begin a part. Throws 400 for too many, so that a hostile body is refused before the runtime makes its
 * parts. Others have their turn in between: a boundary that nearly matches everywhere takes 3 ns for each byte.
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
      // One more mark ends the last part.
      if (marks.length > partsMax + 1) throw tooManyElements();
    }
    const turn = pace();
    if (turn !== true) await turn;
  }
  return marks;
}

/** Throws 400 when a part begins at a place and has more headers than a client sends. The runtime reads all it gets. */
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

/** Every file of a multipart body is made here, so that no reader of its name needs a limit. */
function filePart(file: File, bytes: Uint8Array): FilePart {
  const filename = filenameOf(file);
  if (filename.length > filenameLengthMax) throw filenameTooLong();
  return new FilePart({ filename, bytes });
}

/** The runtime leaves out an empty name, although its type says otherwise. */
function filenameOf({ name }: { readonly name?: string }): string {
  return name ?? "";
}

function unreadable(): Failure {
  return refuseParameters("The multipart body can't be read");
}

function checkText(text: string): string {
  // The parser puts U+FFFD in the place of bytes that are not UTF-8.
  if (text.includes("\0") || text.includes("\uFFFD")) throw badRequest();
  return text;
}
