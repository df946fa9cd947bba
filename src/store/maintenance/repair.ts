import { type Disk, replaceFile } from "../disk.ts";
import {
  type HeaderLine,
  journalFormat,
  LineBuffer,
  type TransactionLine,
  verifiedText,
} from "../journal/journal-line.ts";
import { journalFileNames } from "../journal/journal-reader.ts";
import { sideIndexName } from "../logs/side-index.ts";
import { encodeChecked } from "../segments/checked-json.ts";
import { segmentNumberOf } from "../segments/segment.ts";
import { segmentFileName, segmentFormat } from "../segments/segment-file.ts";

const lineFeed = 10;

/** The files of a store under repair. */
export interface CheckedParts {
  readonly disk: Disk;
  /** The folder of the generation. */
  readonly folder: string;
  /** `DATA/damaged`. */
  readonly damagedFolder: string;
}

/** Moves a file to `DATA/damaged`, under an unused name, and returns its new path. */
export function setAside({ disk, folder, damagedFolder }: CheckedParts, path: string): string {
  disk.makeFolder(damagedFolder);
  const name = path.slice(folder.length + 1).replaceAll("/", "-");
  let target = `${damagedFolder}/${name}`;
  for (let count = 2; disk.exists(target); count += 1) target = `${damagedFolder}/${name}.${count}`;
  disk.rename(path, target);
  disk.syncFolder(damagedFolder);
  disk.syncFolder(path.slice(0, path.lastIndexOf("/")));
  return target;
}

/**
 * Rewrites a segment from its readable lines. Its sequence becomes 0, so that the whole journal is replayed over it. Damage
 * in a line that is still valid JSON stays unnoticed.
 */
export function repairSegment(parts: CheckedParts, files: string, collection: string, number: number): string {
  const { disk } = parts;
  const name = segmentFileName(number);
  const bytes = disk.read(`${files}/${name}`);
  const kept = new Map<number, string>();
  let unreadable = 0;
  for (const line of new TextDecoder().decode(bytes).split("\n").slice(1)) {
    if (line === "" || line === "}}") continue;
    const document = documentIn(line);
    if (document === undefined || segmentNumberOf(document.id) !== number) unreadable += 1;
    else kept.set(document.id, document.json);
  }
  const aside = setAside(parts, `${files}/${name}`);
  writeSegment(disk, files, collection, number, kept);
  return `kept ${kept.size} documents, left out ${unreadable} that do not read; the file as it was is ${aside}`;
}

/** Writes an empty segment in place of a missing one, so that the log continues without its entries. */
export function replaceMissingSegment(parts: CheckedParts, files: string, collection: string, number: number): string {
  const { disk } = parts;
  const index = `${files}/${sideIndexName(number)}`;
  const aside = disk.exists(index) ? `; its index is set aside as ${setAside(parts, index)}` : "";
  writeSegment(disk, files, collection, number, new Map());
  return `put an empty one in its place${aside}`;
}

function writeSegment(
  disk: Disk,
  files: string,
  collection: string,
  number: number,
  documents: ReadonlyMap<number, string>,
): void {
  const lines = [...documents].map(([id, json]) => `"${id}":${json}`);
  const header = `"format":${segmentFormat},"collection":"${collection}","segment":${number},"count":${documents.size},"sequence":0`;
  replaceFile(disk, files, segmentFileName(number), encodeChecked(header, `"docs":{\n${lines.join(",\n")}\n}`));
}

function documentIn(line: string): { id: number; json: string } | undefined {
  const json = /^"\d+":(.*?),?$/.exec(line)?.[1];
  if (json === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value !== "object" || value === null || !("id" in value)) return undefined;
    return typeof value.id === "number" && Number.isSafeInteger(value.id) ? { id: value.id, json } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Rewrites the journal as one file with every readable transaction. An empty transaction replaces each unreadable one, so
 * that the numbers have no gap.
 */
export function repairJournal(parts: CheckedParts, journal: string, store: string): string {
  const { disk, damagedFolder } = parts;
  const names = journalFileNames(disk, journal);
  const found = new Map<number, string>();
  for (const name of names)
    for (const { t, text } of transactionsIn(disk.read(`${journal}/${name}`), store)) found.set(t, text);
  const numbers = [...found.keys()].sort((a, b) => a - b);
  const [first = 1, last = 0] = [numbers[0], numbers.at(-1)];
  const buffer = new LineBuffer();
  push(buffer, JSON.stringify({ outpost_journal: journalFormat, store, from: first } satisfies HeaderLine));
  let lost = 0;
  for (let t = first; t <= last; t += 1) {
    const text = found.get(t);
    if (text === undefined) lost += 1;
    push(buffer, text ?? `{"t":${t},"d":${t - 1},"o":[]}`);
  }
  for (const name of names) setAside(parts, `${journal}/${name}`);
  if (numbers.length > 0) replaceFile(disk, journal, names.at(-1) ?? "00000001.log", buffer.bytes());
  return `kept ${found.size} transactions, left out ${lost} that do not read; the files as they were are in ${damagedFolder}`;
}

function push(buffer: LineBuffer, json: string): void {
  buffer.push(json, Buffer.byteLength(json));
}

/** Yields every line with a correct checksum, wherever it begins in the file. */
function* transactionsIn(bytes: Uint8Array, store: string): Generator<{ t: number; text: string }> {
  let start = 0;
  for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, end + 1)) {
    for (let first = start; first < end; first += 1) {
      const text = verifiedText(bytes, first, end);
      if (text === undefined) continue;
      const line = JSON.parse(text) as Partial<TransactionLine & HeaderLine>;
      if (line.store !== undefined && line.store !== store) return;
      if (line.t !== undefined && line.o !== undefined) yield { t: line.t, text };
      break;
    }
    start = end + 1;
  }
}
