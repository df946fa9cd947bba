import { mkdir, readdir, rm, stat } from "node:fs/promises";
import type { Static } from "@sinclair/typebox";
import { conflict, Failure, notFound } from "../../../domain/failure.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import { compareText } from "../../../lib/text/unicode.ts";
import type { Context } from "../../kernel/context.ts";
import { serviceKey } from "../../kernel/service.ts";
import type { BackupArchive, BackupFolder, VerifiedBackup } from "./schema.ts";
import { archiveNameAt, backUp, RunningBackup, whenFree } from "./service.ts";

type Archive = Static<typeof BackupArchive>;
type Running = NonNullable<Static<typeof BackupFolder>["running"]>;

/** Files with other endings, and those of a backup that is being written, are nobody's business. */
const archiveName = /^[A-Za-z0-9][\w.-]*\.tar\.gz$/;
const listedMax = 1_000;

/** Makes an archive in the folder of backups when an administrator asks for one. */
export class FolderBackup {
  readonly #context: Context;
  readonly #stopping = new AbortController();
  #running: Running | undefined;
  #lastError: string | undefined;
  #finished: Promise<void> = Promise.resolve();

  constructor(context: Context) {
    this.#context = context;
  }

  get running(): Running | undefined {
    return this.#running;
  }

  get lastError(): string | undefined {
    return this.#lastError;
  }

  /** Throws 409 while another archive is made. */
  start(): void {
    const isBusy = this.#running !== undefined || this.#context.get(RunningBackup).end !== undefined;
    if (isBusy) throw conflict("409 Conflict - another backup is on its way");
    const now = this.#context.clock.now();
    this.#running = { name: archiveNameAt(now), started_at: toDateTime(now), done_bytes: 0, total_bytes: null };
    this.#lastError = undefined;
    this.#finished = this.#write(this.#running);
  }

  /** The server stops: resolves when no file of an unfinished archive is left. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error("the server stops"));
    await this.#finished;
  }

  async #write(running: Running): Promise<void> {
    const { log, backups } = this.#context;
    try {
      const { writeArchiveFile } = await import("../../../archive/index.ts");
      await mkdir(backups.folder, { recursive: true, mode: 0o700 });
      // A download may have begun in the meantime.
      await whenFree(this.#context, this.#stopping.signal, () => undefined);
      const pieces = backUp(this.#context, this.#stopping.signal, ({ done, total }) => {
        this.#running = { ...running, done_bytes: done, total_bytes: total ?? null };
      });
      const file = `${backups.folder}/${running.name}`;
      const { files, bytes } = await writeArchiveFile(file, pieces);
      log.info({ file, files, bytes }, "a backup that was asked for is written and whole");
    } catch (error) {
      this.#lastError = error instanceof Error ? error.message : String(error);
      log.error({ error: this.#lastError }, "a backup that was asked for failed");
    } finally {
      this.#running = undefined;
    }
  }
}

export const RequestedBackup = serviceKey("requested-backup", (context) => new FolderBackup(context));

/** `GET /-/backups` */
export async function getBackupFolder(context: Context): Promise<Static<typeof BackupFolder>> {
  const { folder, schedule, keep } = context.backups;
  const { running, lastError } = context.get(RequestedBackup);
  return {
    ...{ folder, schedule: schedule ?? null, keep },
    running: running ?? null,
    last_error: lastError ?? null,
    archives: await listArchives(context),
  };
}

/** Newest first; none where there is no folder. */
export async function listArchives({ backups: { folder } }: Pick<Context, "backups">): Promise<Archive[]> {
  const names = await readdir(folder).catch(noneOrThrow);
  const found: Archive[] = [];
  for (const name of names.filter((each) => archiveName.test(each))) {
    // Meanwhile it may be gone.
    const file = await stat(`${folder}/${name}`).catch(() => undefined);
    if (file?.isFile()) found.push({ name, bytes: file.size, written_at: toDateTime(file.mtimeMs) });
  }
  const byTime = (one: Archive, other: Archive) => compareText(other.written_at, one.written_at);
  return found.sort((one, other) => byTime(one, other) || compareText(other.name, one.name)).slice(0, listedMax);
}

function noneOrThrow(error: NodeJS.ErrnoException): string[] {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return [];
  throw error;
}

/** The path of an archive of the list. Throws 404. */
export async function getArchivePath({ backups: { folder } }: Context, name: string): Promise<string> {
  const path = `${folder}/${name}`;
  const file = archiveName.test(name) ? await stat(path).catch(() => undefined) : undefined;
  if (file?.isFile() !== true) throw notFound("Backup");
  return path;
}

/** Reads an archive from its first byte to its last. Throws 422 for one that is not whole. */
export async function verifyArchive(context: Context, name: string): Promise<Static<typeof VerifiedBackup>> {
  const path = await getArchivePath(context, name);
  const { archiveBytes, readArchive } = await import("../../../archive/index.ts");
  try {
    const { created_at, release, journal_position, files, bytes } = await readArchive(archiveBytes(path));
    return { name, created_at, release, journal_position, files, bytes };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure("unprocessable", { message: `422 Unprocessable Entity - ${reason}` });
  }
}

/** `DELETE /-/backups/:name`. Throws 404. */
export async function deleteArchive(context: Context, name: string): Promise<void> {
  const path = await getArchivePath(context, name);
  await rm(path);
  context.log.info({ file: path }, "a backup is deleted");
}
