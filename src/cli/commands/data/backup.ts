import { stat } from "node:fs/promises";
import {
  type ArchiveManifest,
  archiveBytes,
  archiveOfStopped,
  countUncompressed,
  readArchive,
  writeArchiveFile,
} from "../../../archive/index.ts";
import { exitCodes, StartError } from "../../../domain/start-error.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import { archiveNameAt, uncompressedSizeHeader } from "../../../modules/admin/backups/index.ts";
import { toStartError } from "../../../store/index.ts";
import { amountOf, Progress } from "../../output/progress.ts";
import { printJson } from "../../output/table.ts";
import { isTty, print, printMessage, stdout } from "../../output/terminal.ts";
import { CallRefused, lockOrServer, RunningServer, type StoreRequest } from "../../running-server.ts";

export interface BackupFlags extends StoreRequest {
  /** The file; `-` means stdout. Default: a name with the time, in the working folder. */
  readonly out: string | undefined;
  readonly json: boolean;
}

/**
 * Writes an archive of everything: directly for a stopped store, else through its server. The file gets its name once it is
 * on the disk and verified. Throws `StartError`.
 */
export async function backup(flags: BackupFlags): Promise<void> {
  const progress = new Progress({ task: "backing up", unit: "bytes" });
  const begun = await begin(flags, progress);
  const pieces = withBar(begun.pieces, progress);
  try {
    if (flags.out === "-") await toStdout(pieces);
    else await toFile(flags.out ?? archiveNameAt(Date.now()), pieces, flags.json);
  } finally {
    begun.end();
  }
}

/** Verifies an archive, and prints its content. Throws `StartError` (damaged) when it is corrupt or incomplete. */
export async function verifyBackup(file: string, json: boolean): Promise<void> {
  await printArchive(file, await readArchive(readWithProgress(file, "verifying")), json, "is complete");
}

interface Begun {
  readonly pieces: AsyncIterable<Uint8Array>;
  end(): void;
}

async function begin(request: StoreRequest, progress: Progress): Promise<Begun> {
  const place = await lockOrServer(request);
  if (place instanceof RunningServer) return { pieces: await archiveOfServer(place, progress), end() {} };
  const { config } = request;
  try {
    const pieces = archiveOfStopped(config, toDateTime(Date.now()), ({ done, total }) => progress.set(done, total));
    return { pieces, end: () => place.release() };
  } catch (error) {
    place.release();
    throw toStartError(config.dataFolder, error);
  }
}

/** Returns the archive that a running server makes, as a stream, counted by `progress`. Throws `StartError`. */
export async function archiveOfServer(server: RunningServer, progress: Progress): Promise<AsyncIterable<Uint8Array>> {
  try {
    const { body, headers } = await server.stream({ method: "POST", path: "/-/backup" });
    const total = Number(headers[uncompressedSizeHeader.toLowerCase()]);
    return total > 0 ? countUncompressed(body, (done) => progress.set(done, total)) : countPieces(body, progress);
  } catch (error) {
    if (!(error instanceof CallRefused) || error.status !== 409) throw error;
    throw new StartError(
      `the server at ${server.origin} is already creating a backup`,
      (command) => `outpost ${command}, once that backup is complete`,
      { exitCode: error.exitCode, cause: error },
    );
  }
}

async function toStdout(pieces: AsyncIterable<Uint8Array>): Promise<void> {
  if (isTty(stdout)) {
    throw new StartError("refusing to write a binary archive to a terminal", "outpost backup -o FILE", {
      exitCode: exitCodes.usage,
    });
  }
  for await (const piece of pieces) if (!(await print(piece as Uint8Array<ArrayBuffer>))) return;
}

async function toFile(file: string, pieces: AsyncIterable<Uint8Array>, json: boolean): Promise<void> {
  await refuseExisting(file);
  try {
    const readAgain = (written: string) => readWithProgress(written, "verifying");
    const manifest = await writeArchiveFile(file, pieces, readAgain);
    await printArchive(file, manifest, json, "is written and verified");
  } catch (error) {
    throw explainFile(file, error);
  }
}

async function refuseExisting(file: string): Promise<void> {
  if (!(await Bun.file(file).exists())) return;
  throw new StartError(`${file} exists already`, "outpost backup -o FILE, with another name", {
    exitCode: exitCodes.usage,
  });
}

async function* countPieces(pieces: AsyncIterable<Uint8Array>, progress: Progress): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    progress.add(piece.byteLength);
    yield piece;
  }
}

/** Yields the pieces, and removes the progress bar before other output. */
export async function* withBar(pieces: AsyncIterable<Uint8Array>, progress: Progress): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces;
  } finally {
    progress.end();
  }
}

/** Yields the bytes of an archive, with a progress bar. Throws `StartError` for an unreadable file. */
export async function* readWithProgress(file: string, task: string): AsyncGenerator<Uint8Array> {
  const progress = new Progress({ task, unit: "bytes" });
  try {
    progress.set(0, (await stat(file)).size);
    for await (const piece of archiveBytes(file)) {
      progress.add(piece.byteLength);
      yield piece;
    }
  } catch (error) {
    throw explainFile(file, error);
  } finally {
    progress.end();
  }
}

/** Prints the path on stdout, and the rest on stderr. */
async function printArchive(file: string, manifest: ArchiveManifest, json: boolean, verdict: string): Promise<void> {
  const { files, bytes, journal_position, created_at, release, store_format, storages } = manifest;
  const { size } = await stat(file);
  if (json) {
    const facts = { created_at, release, store_format, journal_position, files, bytes, storages };
    await printJson({ file, size, ...facts });
    return;
  }
  await print(`${file}\n`);
  printMessage(
    `${verdict}: ${amountOf(size, "bytes")} with ${amountOf(files, "files")} of ${amountOf(bytes, "bytes")},`,
  );
  printMessage(`as of transaction ${journal_position}, created by Outpost ${release} on ${created_at}`);
}

/** Converts a file-system error into a `StartError` with a hint. */
function explainFile(file: string, error: unknown): unknown {
  if (!(error instanceof Error && "code" in error && "syscall" in error)) return error;
  const isFull = error.code === "ENOSPC" || error.code === "EDQUOT";
  return new StartError(
    `${file} cannot be used: ${error.message}`,
    isFull ? "outpost backup -o FILE, on another disk; or free space on this one" : `ls -l ${file}`,
    { cause: error },
  );
}
