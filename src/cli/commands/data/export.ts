import { copyFile, mkdir, readdir, rename, rm, rmdir } from "node:fs/promises";
import { version } from "../../../../package.json" with { type: "json" };
import { exitCodes, StartError } from "../../../domain/start-error.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import { collections } from "../../../modules/index.ts";
import {
  everyCollection,
  readDocuments,
  type StoppedDocuments,
  storeFormat,
  systemDisk,
  withoutSecrets,
} from "../../../store/index.ts";
import { Progress } from "../../output/progress.ts";
import { printJson, printTable } from "../../output/table.ts";
import { printMessage } from "../../output/terminal.ts";
import { lockOrServer, RunningServer } from "../../running-server.ts";
import type { StoreFlags } from "../../store-command.ts";
import { withServerSnapshot } from "./server-snapshot.ts";

/** The content of `outpost-export.json`, which describes the export. */
export interface ExportHeader {
  readonly outpost_export: number;
  readonly release: string;
  readonly created_at: string;
  readonly store_format: number;
  readonly journal_position: number;
  /** True when the export has digests, tokens and mails. */
  readonly secrets: boolean;
  /** The number of documents per collection. */
  readonly documents: Readonly<Record<string, number>>;
}

export const exportFormat = 1;
export const exportHeaderName = "outpost-export.json";

export interface ExportFlags extends StoreFlags {
  /** The folder of the export; must be empty or absent. */
  readonly folder: string;
  readonly secrets: boolean;
}

/** The number of characters per write. */
const pieceLength = 1 << 20;

/**
 * Writes every document of a store as JSON lines, one file per collection, and the blobs, but no repositories. A running
 * server provides a snapshot. The folder gets its name once it is complete. Throws `StartError`.
 */
export async function exportStore(flags: ExportFlags): Promise<void> {
  await refuseFilled(flags.folder);
  const place = await lockOrServer(flags);
  if (place instanceof RunningServer) {
    return withServerSnapshot(place, (dataFolder) => exportDocuments(dataFolder, flags));
  }
  try {
    await exportDocuments(flags.config.dataFolder, flags);
  } finally {
    place.release();
  }
}

async function exportDocuments(dataFolder: string, { folder, secrets, json }: ExportFlags): Promise<void> {
  const temporary = `${folder}.part`;
  try {
    const stopped = await readWithProgress(dataFolder);
    await rm(temporary, { recursive: true, force: true });
    await mkdir(`${temporary}/blobs`, { recursive: true, mode: 0o700 });
    const documents = await writeCollections(stopped, temporary, secrets);
    for (const [hash, path] of stopped.blobs) await copyFile(path, `${temporary}/blobs/${hash}`);
    const header: ExportHeader = {
      ...{ outpost_export: exportFormat, release: version, created_at: toDateTime(Date.now()) },
      ...{ store_format: storeFormat, journal_position: stopped.position, secrets, documents },
    };
    await Bun.write(`${temporary}/${exportHeaderName}`, `${JSON.stringify(header, null, 2)}\n`);
    await rmdir(folder).catch(() => undefined);
    await rename(temporary, folder);
    await printExport(folder, header, stopped.blobs.size, json);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    throw explainUnwritable(folder, error);
  }
}

async function printExport(folder: string, header: ExportHeader, blobs: number, json: boolean): Promise<void> {
  if (json) await printJson({ folder, ...header, blobs });
  else
    await printTable(
      ["resource", "documents"],
      Object.entries(header.documents).map(([name, count]) => [name, `${count}`]),
    );
  printMessage(
    header.secrets
      ? "the export contains tokens and password hashes: keep it as safe as the data folder"
      : "the export contains no secrets",
  );
}

async function readWithProgress(folder: string): Promise<StoppedDocuments> {
  const progress = new Progress({ task: "reading the store", unit: "files" });
  try {
    return await readDocuments({ disk: systemDisk, folder, collections, onProgress: progress.follow });
  } finally {
    progress.end();
  }
}

/** Converts a file-system error about the export folder into a `StartError` with a hint. */
function explainUnwritable(folder: string, error: unknown): unknown {
  if (!(error instanceof Error && "code" in error && "syscall" in error)) return error;
  const hint = "outpost export FOLDER, with a writable folder on a disk with free space";
  return new StartError(`${folder} cannot be written: ${error.message}`, hint, { cause: error });
}

async function refuseFilled(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw new StartError(`${folder} is not a folder: ${error.message}`, "outpost export FOLDER", { cause: error });
  });
  if (names.length === 0) return;
  throw new StartError(`${folder} is not empty`, "outpost export FOLDER, with an empty or new folder", {
    exitCode: exitCodes.usage,
  });
}

async function writeCollections(
  stopped: StoppedDocuments,
  folder: string,
  secrets: boolean,
): Promise<Record<string, number>> {
  const taken = everyCollection(collections).flatMap((declared) => {
    const documents = stopped.collections.get(declared.name);
    return documents === undefined || (declared.isSecret && !secrets) ? [] : [{ declared, documents }];
  });
  const total = taken.reduce((sum, { documents: { size } }) => sum + size, 0);
  const progress = new Progress({ task: "exporting", unit: "documents", total });
  const counts: Record<string, number> = {};
  try {
    for (const { declared, documents } of taken) {
      if (documents.size === 0) continue;
      const file = Bun.file(`${folder}/${declared.name}.jsonl`).writer();
      let [count, piece] = [0, ""];
      for (const document of documents) {
        piece += `${JSON.stringify(secrets ? document : withoutSecrets(declared, document))}\n`;
        count += 1;
        progress.add(1);
        if (piece.length < pieceLength) continue;
        file.write(piece);
        await file.flush();
        piece = "";
      }
      file.write(piece);
      await file.end();
      counts[declared.name] = count;
    }
  } finally {
    progress.end();
  }
  return counts;
}
