import { openingPace, takeSteps } from "../../lib/yield.ts";
import { type Disk, replaceFile } from "../disk.ts";
import type { StoredDocument } from "../indexes/index.ts";
import { LineBuffer, type TransactionLine, verifiedText } from "../journal/journal-line.ts";
import { readJournal } from "../journal/journal-reader.ts";
import { partsFolderOf } from "../opening/generations.ts";
import { segmentNumbersIn } from "../segments/segment-file.ts";
import { Segments } from "../segments/segments.ts";
import { oldCollections, renameChange, renameDocument, renamedCollections } from "./004-renamed-names.ts";
import type { Migration } from "./index.ts";

/**
 * Format 3 had names that the code no longer uses. Collections get their new names as new folders, which format 3 does not
 * read; then the journal and the other collections change in place, one file at a time. Until the manifest says 4, the old
 * folders stay, and each step can be repeated from them.
 */
export const renamedStoredNames: Migration = {
  to: 4,
  description: "collections, fields, background jobs and feature flags get the names of the code",
  async run(disk, dataFolder, manifest) {
    const folder = partsFolderOf(dataFolder, manifest.generation);
    for (const [from, to] of renamedCollections) {
      if (from !== to) await disk.removeFolderLater(`${folder}/documents/${to}`);
    }
    disk.makeFolder(`${folder}/documents`);
    disk.syncFolder(`${folder}/documents`);
    for (const [from, to] of renamedCollections) if (from !== to) await renameSegments(disk, folder, from, to);
    await renameInJournal(disk, `${folder}/journal`, manifest.store);
    for (const [from, to] of renamedCollections) if (from === to) await renameSegments(disk, folder, from, to);
    return manifest;
  },
};

/** Writes the documents of each segment file under their new names. The new file says the same transaction as the old one. */
async function renameSegments(disk: Disk, folder: string, from: string, to: string): Promise<void> {
  const pace = openingPace();
  let sequence = 0;
  const writer = { disk, lastSequence: () => sequence, settled: () => undefined };
  const before = new Segments<StoredDocument>(from, `${folder}/documents/${from}`, writer);
  for (const number of segmentNumbersIn(before.fileNames())) {
    const segment = await before.load(number);
    sequence = segment.savedSequence;
    const after = new Segments<StoredDocument>(to, `${folder}/documents/${to}`, writer);
    for (const document of segment) after.set(document.id, renameDocument(to, document));
    for (const renamed of after) await after.save(renamed);
    before.forget(number);
    await pace();
  }
}

/** Replaces each file of the journal that has an old name in it. Throws `damaged`, with nothing changed. */
async function renameInJournal(disk: Disk, folder: string, store: string): Promise<void> {
  const pace = openingPace();
  const { files } = await takeSteps(
    readJournal(disk, folder, store, () => undefined),
    pace,
  );
  for (const { name, end } of files) {
    const renamed = renamedLines(disk.readPart(`${folder}/${name}`, 0, end));
    if (renamed !== undefined) replaceFile(disk, folder, name, renamed);
    await pace();
  }
}

const lineFeed = 10;

/** Lines of the journal, all of which were read, with the new names; undefined when they have no old ones. */
function renamedLines(bytes: Uint8Array): Uint8Array | undefined {
  const buffer = new LineBuffer();
  let isChanged = false;
  for (let start = 0; start < bytes.byteLength; ) {
    const end = bytes.indexOf(lineFeed, start);
    const before = verifiedText(bytes, start, end);
    if (before === undefined) throw new Error("a line of the journal does not read any more");
    const after = renamedLine(before);
    isChanged ||= after !== before;
    buffer.push(after, Buffer.byteLength(after));
    start = end + 1;
  }
  return isChanged ? buffer.bytes() : undefined;
}

/** The JSON text of a header, transaction or mark. */
function renamedLine(text: string): string {
  const line = JSON.parse(text) as Partial<TransactionLine>;
  return line.o === undefined ? text : JSON.stringify({ ...line, o: line.o.map(renameChange) });
}

/** Removes the folders of the old names. Format 4 has no collection of such a name. */
export async function removeRenamedCollections(disk: Disk, folder: string): Promise<void> {
  const documents = `${folder}/documents`;
  const left = disk.list(documents).filter((name) => oldCollections.has(name));
  for (const name of left) await disk.removeFolderLater(`${documents}/${name}`);
  if (left.length > 0) disk.syncFolder(documents);
}
