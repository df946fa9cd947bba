import { createReadStream } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { makeStoreIn, type Staging } from "../../../archive/index.ts";
import type { Config } from "../../../config/config.ts";
import { systemClock } from "../../../domain/clock.ts";
import { exitCodes, StartError } from "../../../domain/start-error.ts";
import { systemRandomness } from "../../../lib/randomness.ts";
import { collections } from "../../../modules/index.ts";
import {
  type AnyCollectionDeclaration,
  everyCollection,
  insertDocument,
  raiseSequences,
  recordFault,
  type SequenceRecord,
  Store,
  type StoredDocument,
  sequences,
  unknownFields,
  withNewSecrets,
} from "../../../store/index.ts";
import { createLog } from "../../log/logger.ts";
import { Progress } from "../../output/progress.ts";
import { printJson, printTable } from "../../output/table.ts";
import { printMessage } from "../../output/terminal.ts";
import { checkWithProgress } from "./check.ts";
import { type ExportHeader, exportFormat, exportHeaderName } from "./export.ts";
import { findLostReference } from "./import-references.ts";
import { linesOf } from "./lines.ts";

/** The largest id. Memory per collection grows with the largest id. */
const idMax = 2 ** 24;
/** The largest id in logs and their sequences. */
const logIdMax = 2 ** 26;

/** The number of documents per transaction. */
const batchSize = 256;

/**
 * Makes a store from an export, in an empty folder, completely or not at all. Throws `StartError` with file and line for an
 * invalid, duplicate or refused document and for a missing reference, and for missing blobs.
 */
export async function importStore(folder: string, config: Config, json: boolean): Promise<void> {
  const header = await readHeader(folder);
  const { counts: documents, unknown } = await makeStoreIn(config, "outpost import FOLDER", (staging) =>
    fill(staging, folder, header, config),
  );
  const unknown_fields = Object.fromEntries(unknown);
  if (json) await printJson({ data_folder: config.dataFolder, documents, unknown_fields });
  else
    await printTable(
      ["resource", "documents"],
      Object.entries(documents).map(([name, count]) => [name, `${count}`]),
    );
  for (const name of new Set([...Object.keys(header.documents), ...Object.keys(documents)])) {
    const [exported = 0, read = 0] = [header.documents[name], documents[name]];
    if (exported !== read) printMessage(`${name}: ${exported} were exported, ${read} are in the folder`);
  }
  for (const [field, count] of unknown)
    printMessage(`${field}: unknown to this version; documents that keep it: ${count}`);
  if (!header.secrets)
    printMessage("the export contains no passwords and tokens; create them with outpost token and outpost user");
  printMessage("an export contains no repositories; outpost backup does");
}

async function readHeader(folder: string): Promise<ExportHeader> {
  const path = `${folder}/${exportHeaderName}`;
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw new StartError(`${folder} contains no export: ${path} cannot be read`, "outpost import FOLDER", {
      cause: error,
    });
  });
  const header = parse(text) as Partial<ExportHeader> | undefined;
  if (typeof header?.documents !== "object" || header.outpost_export === undefined) {
    throw wrong(`${path} was changed after the export`);
  }
  if (header.outpost_export > exportFormat) {
    throw new StartError(
      `${path} has format ${header.outpost_export}`,
      `outpost version, of another executable: ${header.release} or newer`,
    );
  }
  return header as ExportHeader;
}

async function fill(staging: Staging, folder: string, header: ExportHeader, config: Config): Promise<Read> {
  const files = await collectionFiles(folder);
  const onDiskFailure = (error: unknown) => {
    throw error;
  };
  const log = createLog(config);
  const clock = systemClock;
  const store = await Store.open({
    ...{ folder: config.dataFolder, draft: staging.generation, collections, clock, log, onDiskFailure },
    randomness: systemRandomness,
  });
  const read: Read = { counts: {}, numbers: new Map(), unknown: new Map() };
  const total = Object.values(header.documents).reduce((sum, count) => sum + count, 0);
  const progress = new Progress({ task: "importing", unit: "documents", total });
  try {
    await importBlobs(store, `${folder}/blobs`);
    for (const file of files) read.counts[file.name] = await importFile(store, file, read, progress);
    const lost = await findLostReference(store, files);
    if (lost !== undefined) throw wrong(lost);
    raiseSequences(store, read.numbers);
    await store.settled();
    progress.end();
    await writeSegments(store);
  } finally {
    progress.end();
    await store.close();
  }
  const [finding] = await checkWithProgress({ folder: config.dataFolder, draft: staging.generation });
  if (finding !== undefined) throw wrong(finding.problem.replaceAll(`${staging.folder}/`, ""));
  return read;
}

/** Writes a checkpoint, with a progress bar. */
async function writeSegments(store: Store): Promise<void> {
  const dirty = () => store.statistics().checkpoint.dirtySegments;
  const total = dirty();
  const progress = new Progress({ task: "writing", unit: "files", total });
  const timer = setInterval(() => progress.set(Math.max(0, total - dirty())), 200);
  try {
    await store.checkpoint();
  } finally {
    clearInterval(timer);
    progress.end();
  }
}

/** The state of the import. */
interface Read {
  /** The number of documents per collection. */
  readonly counts: Record<string, number>;
  /** The last number of each sequence that the documents use. */
  readonly numbers: Map<string, number>;
  /** The number of documents per unknown field, `collection.field`. */
  readonly unknown: Map<string, number>;
}

interface CollectionFile {
  readonly name: string;
  readonly path: string;
  readonly declared: AnyCollectionDeclaration;
}

async function collectionFiles(folder: string): Promise<readonly CollectionFile[]> {
  const known = new Map(everyCollection(collections).map((declared) => [declared.name, declared]));
  const names = (await readdir(folder)).filter((name) => name.endsWith(".jsonl")).sort();
  // Without the file, sequences would give used ids again.
  if (!names.includes(`${sequences.name}.jsonl`)) throw wrong(`${folder}/${sequences.name}.jsonl is missing`);
  return names.map((file) => {
    const name = file.slice(0, -".jsonl".length);
    const declared = known.get(name);
    if (declared === undefined) throw wrong(`${folder}/${file}: this version has no ${name}`);
    return { name, path: `${folder}/${file}`, declared };
  });
}

/** Imports a file. Returns the number of documents, and updates `read`. */
async function importFile(
  store: Store,
  { name, path, declared }: CollectionFile,
  { numbers, unknown }: Read,
  progress: Progress,
): Promise<number> {
  let [count, line] = [0, 0];
  let batch: { line: number; document: StoredDocument }[] = [];
  const write = async () => {
    store.transact((tx) => {
      for (const { line: at, document } of batch) {
        try {
          insertDocument(tx, declared, document);
        } catch (error) {
          throw wrong(`${path}:${at}: ${error instanceof Error ? error.message : String(error)}`, error);
        }
      }
    });
    progress.add(batch.length);
    batch = [];
    await store.settled();
  };
  for await (const text of linesOf(path)) {
    line += 1;
    if (text.trim() === "") continue;
    const place = `${path}:${line}`;
    const document = withNewSecrets(
      declared,
      documentOf(text, place, declared.kind === "log" ? logIdMax : idMax),
      newSecret,
    );
    const fault = recordFault(declared.schema, document);
    if (fault !== undefined) throw wrong(`${place}: ${fault}`);
    if (name === sequences.name) refuseOddSequence(document, place);
    batch.push({ line, document });
    count += 1;
    for (const [sequence, number] of declared.sequencesUsedBy(document)) {
      numbers.set(sequence, Math.max(numbers.get(sequence) ?? 0, number));
    }
    for (const field of unknownFields(declared.schema, document)) {
      unknown.set(`${name}.${field}`, (unknown.get(`${name}.${field}`) ?? 0) + 1);
    }
    if (batch.length === batchSize) await write();
  }
  if (batch.length > 0) await write();
  return count;
}

function documentOf(text: string, place: string, largest: number): StoredDocument {
  const value = parse(text);
  if (value === undefined) throw wrong(`${place}: not a JSON object`);
  const { id } = value as Partial<StoredDocument>;
  if (typeof id !== "number" || !Number.isSafeInteger(id) || id < 1)
    throw wrong(`${place}: id must be a positive integer`);
  if (id > largest) throw wrong(`${place}: id must be at most ${largest}`);
  return value as StoredDocument;
}

function refuseOddSequence(document: StoredDocument, place: string): void {
  const { last } = document as SequenceRecord;
  if (last < 0 || last > logIdMax) throw wrong(`${place}: last must be an integer up to ${logIdMax}`);
}

/** Returns a JSON object; undefined for anything else. */
function parse(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

async function importBlobs(store: Store, folder: string): Promise<void> {
  const names = await readdir(folder).catch((): string[] => []);
  for (const name of names) {
    const { hash } = await store.blobs.put(createReadStream(`${folder}/${name}`));
    if (hash !== name) throw wrong(`${folder}/${name}: its content does not match the hash in its name`);
  }
}

/** Returns a random secret that is not recorded. */
function newSecret(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("hex");
}

function wrong(message: string, cause?: unknown): StartError {
  return new StartError(message, "outpost import FOLDER, after you corrected it; nothing was changed", {
    cause,
    exitCode: exitCodes.damaged,
  });
}
