import { partHeaderBytesMax } from "../params/parameter-limits.ts";

/** The content of a smaller part is left where it is. */
const largeBytesMin = 64 * 1024;

const endOfHeader = Buffer.from("\r\n\r\n");
const endOfLine = Buffer.from("\r\n");

/** Length of what stands in the place of a content. */
export const placeBytes = 36;

/** A multipart body without the contents of its large files. */
export interface Skeleton {
  readonly bytes: Uint8Array;
  /** Placeholder of a content → the content, which shares the memory of the body. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
}

/**
 * The runtime's parser copies each file, and holds the event loop meanwhile. So the contents of large files are taken out
 * before it, and put back by their places. `marks` are the places of all boundaries, `markBytes` their length. undefined
 * where there is nothing to take out.
 */
export function takeOutFiles(body: Buffer, marks: readonly number[], markBytes: number): Skeleton | undefined {
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
