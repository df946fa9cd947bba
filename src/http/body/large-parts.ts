import { partHeaderBytesMax } from "../params/parameter-limits.ts";

/** The content of a smaller part stays in the body. */
const largeBytesMin = 64 * 1024;

const endOfHeader = Buffer.from("\r\n\r\n");
const endOfLine = Buffer.from("\r\n");

/** The length of a placeholder for a content. */
export const placeBytes = 36;

/** A multipart body whose large files are replaced by placeholders. */
export interface Skeleton {
  readonly bytes: Uint8Array;
  /** The contents by placeholder. They share the memory of the body. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
}

/**
 * Removes the contents of large files before the runtime's parser copies them, which blocks the event loop. `marks` are the
 * offsets of all boundaries, `markBytes` their length. Returns undefined when there is no large file.
 */
export function extractFiles(body: Buffer, marks: readonly number[], markBytes: number): Skeleton | undefined {
  const contents = new Map<string, Uint8Array>();
  const parts: Uint8Array[] = [];
  let taken = 0;
  for (const [index, mark] of marks.entries()) {
    const next = marks[index + 1];
    if (next === undefined || next - mark < largeBytesMin) continue;
    const head = body.subarray(mark + markBytes, mark + markBytes + partHeaderBytesMax);
    const length = head.indexOf(endOfHeader);
    const hasFile = length !== -1 && /\bfilename=/i.test(head.toString("latin1", 0, length));
    const start = mark + markBytes + length + endOfHeader.length;
    const end = next - endOfLine.length;
    if (!hasFile || start >= end || !body.subarray(end, next).equals(endOfLine)) continue;
    const place = crypto.randomUUID();
    contents.set(place, body.subarray(start, end));
    parts.push(body.subarray(taken, start), Buffer.from(place));
    taken = end;
  }
  if (contents.size === 0) return undefined;
  return { bytes: Buffer.concat([...parts, body.subarray(taken)]), contents };
}
