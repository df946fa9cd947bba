import type { Documents } from "./kept-store.ts";

/** One line of a journal as it lies in the file; written and read here without the product's own reader. */
export interface JournalLine {
  readonly start: number;
  /** Behind the line feed. */
  readonly end: number;
  /** Of a transaction; undefined for the header and for marks. */
  readonly changes: readonly (readonly [collection: string, id: number, document: object | null])[] | undefined;
}

/** All lines of a sound journal file, up to its zeros. */
export function journalLines(bytes: Uint8Array): JournalLine[] {
  const lines: JournalLine[] = [];
  for (let start = 0; start < bytes.byteLength && bytes[start] !== 0; ) {
    const end = bytes.indexOf(10, start) + 1;
    const text = new TextDecoder().decode(bytes.subarray(start + 9, end));
    lines.push({ start, end, changes: (JSON.parse(text) as { o?: JournalLine["changes"] }).o });
    start = end;
  }
  return lines;
}

/** The documents of a store after these lines, when it was empty before. */
export function documentsAfter(lines: readonly JournalLine[]): Documents {
  const documents = new Map<string, unknown>();
  for (const { changes = [] } of lines) {
    for (const [collection, id, document] of changes) {
      if (document === null) documents.delete(`${collection}/${id}`);
      else documents.set(`${collection}/${id}`, document);
    }
  }
  return documents;
}
