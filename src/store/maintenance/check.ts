import { exitCodes, StartError } from "../../domain/start-error.ts";
import { takeAtOnce } from "../../lib/yield.ts";
import { Blobs } from "../blobs.ts";
import { MemoryCollection } from "../collection.ts";
import type { Disk } from "../disk.ts";
import type { StoredDocument } from "../indexes/index.ts";
import { readJournal } from "../journal/journal-reader.ts";
import { LogCollection } from "../logs/log-collection.ts";
import { logWatermarks } from "../logs/log-watermarks.ts";
import { readSideIndex, sideIndexName } from "../logs/side-index.ts";
import { partsFolderOf } from "../opening/generations.ts";
import { type AnyCollectionDeclaration, journalFolderOf, loadCollections } from "../opening/loading.ts";
import { type Manifest, readManifest, type StorePlace } from "../opening/manifest.ts";
import type { OnStoreProgress } from "../opening/progress.ts";
import { recordFault } from "../records/fault.ts";
import type { RecordSchema } from "../records/record.ts";
import { idsPerSegment } from "../segments/segment.ts";
import { SegmentFile, segmentFileName, segmentNumberOfFile, segmentNumbersIn } from "../segments/segment-file.ts";
import { type CheckedParts, repairJournal, repairSegment, replaceMissingSegment, setAside } from "./repair.ts";

/** A problem of a data folder. */
export interface Finding {
  /** One line for the user: the file and the problem. */
  readonly problem: string;
  /** One line that describes the repair. */
  readonly hint: string;
  /** Repairs the problem, and returns one line that describes the result. */
  readonly repair: () => Promise<string> | string;
}

export interface CheckOptions extends StorePlace {
  readonly disk: Disk;
  readonly collections: readonly AnyCollectionDeclaration[];
  /** Called for each file of documents (read alone, then with the others) and for each blob. */
  readonly onProgress?: OnStoreProgress | undefined;
}

/** The parts of a store that is checked. */
interface CheckedStore extends CheckedParts, Pick<CheckOptions, "collections" | "onProgress"> {}

/**
 * Reads everything in a store and reports each corruption once, without changing anything. The caller must hold the lock of
 * the folder. A torn end of the journal is no corruption: it was not acknowledged, and the next start removes it. Throws
 * `StartError` when there is no store, or one of another format.
 */
export async function checkStore(options: CheckOptions): Promise<readonly Finding[]> {
  const { disk, folder } = options;
  const manifest = readManifest(disk, options);
  if (manifest === undefined) throw new StartError(`${folder} holds no store`, "outpost check --data DIR");
  const store = { ...options, folder: partsFolderOf(folder, manifest.generation), damagedFolder: `${folder}/damaged` };
  const findings: Finding[] = [];
  const checked = [...options.collections, logWatermarks as unknown as AnyCollectionDeclaration];
  const total = checked.flatMap((declared) => segmentNumbersIn(disk.list(filesOf(store.folder, declared)))).length;
  let done = 0;
  const onFile = () => store.onProgress?.("checking files", "files", ++done, total);
  for (const declared of checked) findings.push(...(await checkFiles(store, declared, onFile)));
  findings.push(...checkJournal(store, manifest.store));
  // Relations between the parts are checked only if every part can be read.
  if (findings.length === 0) findings.push(...(await checkWhole(store, manifest)));
  return findings;
}

function filesOf(folder: string, { kind, name }: AnyCollectionDeclaration): string {
  return `${folder}/${kind === "log" ? "logs" : "documents"}/${name}`;
}

async function checkFiles(
  store: CheckedStore,
  declared: AnyCollectionDeclaration,
  onFile: () => void,
): Promise<readonly Finding[]> {
  const { disk, folder, damagedFolder } = store;
  const findings: Finding[] = [];
  const files = filesOf(folder, declared);
  const writer = { disk, lastSequence: () => 0, settled: () => undefined };
  for (const name of disk.list(files)) {
    const number = segmentNumberOfFile(name);
    if (number === undefined) continue;
    const path = `${files}/${name}`;
    onFile();
    try {
      const documents = await new SegmentFile<StoredDocument>(writer, files, declared.name, number).read();
      findings.push(...faultyDocuments(path, documents, declared.schema));
    } catch (error) {
      findings.push({
        problem: problemOf(error),
        hint: `keep the readable documents of ${path}, and move the file to ${damagedFolder}`,
        repair: () => repairSegment(store, files, declared.name, number),
      });
      continue;
    }
    if (declared.kind !== "log") continue;
    try {
      readSideIndex(disk, files, number);
    } catch (error) {
      const index = `${files}/${sideIndexName(number)}`;
      findings.push({
        problem: problemOf(error),
        hint: `set ${index} aside; the next start rebuilds it from its segment`,
        repair: () => `set aside as ${setAside(store, index)}`,
      });
    }
  }
  return findings;
}

function checkJournal(parts: CheckedStore, store: string): readonly Finding[] {
  const { disk, folder } = parts;
  const journal = journalFolderOf(folder);
  try {
    takeAtOnce(readJournal(disk, journal, store, () => undefined));
    return [];
  } catch (error) {
    return [
      {
        problem: problemOf(error),
        hint: "set the journal's files aside, and write the readable transactions again",
        repair: () => repairJournal(parts, journal, store),
      },
    ];
  }
}

/** Checks segments against the journal, and blobs against the documents that name them. */
async function checkWhole(parts: CheckedStore, { store, sandbox }: Manifest): Promise<readonly Finding[]> {
  const { disk, folder, collections, onProgress } = parts;
  const writer = {
    ...({ disk, lastSequence: () => 0, settled: () => undefined, isReadOnly: true } as const),
    keepsLogsOpen: sandbox === true,
  };
  const findings: Finding[] = [];
  try {
    const loaded = await loadCollections({ collections, folder, onProgress }, store, writer);
    const blobs = new Blobs(disk, `${folder}/blobs`);
    const present = new Set(blobs.hashes());
    let verified = 0;
    for (const hash of present) {
      onProgress?.("checking blobs", "blobs", ++verified, present.size);
      try {
        blobs.verify(hash);
      } catch (error) {
        findings.push({
          problem: problemOf(error),
          hint: `set ${blobs.pathOf(hash)} aside; its documents stay, without the blob`,
          repair: () => `set aside as ${setAside(parts, blobs.pathOf(hash))}`,
        });
      }
    }
    for (const collection of loaded.collections.values()) {
      if (collection instanceof LogCollection) findings.push(...missingSegments(parts, collection));
      if (!(collection instanceof MemoryCollection)) continue;
      for (const { id, hash } of collection.namedBlobs()) {
        if (present.has(hash)) continue;
        findings.push({
          problem: `${collection.name} ${id} names blob ${hash}, which is not there`,
          hint: "nothing: restore the blob from a backup, or change the document",
          repair: () => "nothing was changed",
        });
      }
    }
  } catch (error) {
    findings.push({
      problem: problemOf(error),
      hint: "nothing that could be trusted: restore the folder from a backup",
      repair: () => "nothing was changed",
    });
  }
  return findings;
}

/** Returns the first document that does not match its schema. Only another program can have written it. */
function faultyDocuments(path: string, documents: Iterable<StoredDocument>, schema: RecordSchema): readonly Finding[] {
  for (const document of documents) {
    const fault = recordFault(schema, document);
    if (fault === undefined) continue;
    return [
      {
        problem: `document ${document.id} in ${path} does not fit this version: ${fault}`,
        hint: "nothing: restore the folder from a backup",
        repair: () => "nothing was changed",
      },
    ];
  }
  return [];
}

/** Returns the missing segments of a log. A log removes segments only below its watermark, so others were lost. */
function missingSegments(parts: CheckedParts, log: LogCollection): readonly Finding[] {
  return log.missingSegments().map((number) => {
    const first = number * idsPerSegment;
    return {
      problem: `the store is damaged: ${log.folder}/${segmentFileName(number)} is missing, with entries ${first} to ${first + idsPerSegment - 1}`,
      hint: "replace it with an empty one; its content is lost unless a backup has it",
      repair: () => replaceMissingSegment(parts, log.folder, log.name, number),
    };
  });
}

/** Describes the corruption. Throws any other error, such as a file that may not be read. */
function problemOf(error: unknown): string {
  if (error instanceof StartError && error.exitCode === exitCodes.damaged) return error.message;
  throw error;
}
