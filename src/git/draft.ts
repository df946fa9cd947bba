import * as fs from "node:fs/promises";
import { dirname } from "node:path";
import pLimit, { type LimitFunction } from "p-limit";
import { platform } from "../lib/platform/index.ts";
import { exists, syncFolder, writeSynced } from "./durable.ts";

/** Bytes of a block of the usual file systems: a small object takes up one. */
const blockBytes = 4096;
/** Drafts of more objects than a usual commit has are saved one at a time: they hold up each other, and no small one. */
const smallDraftMax = 64;
const oneLarge = pLimit(1);
/** Files and folders that are written and synced at a time. */
const filesOf = { small: pLimit(32), large: pLimit(16) };

/**
 * The file system of the git library while it writes: objects stay in memory until `save`, so that they reach the disk
 * together, each under its name only when it is whole, and a refused change leaves nothing behind. Reads see them.
 */
export class Draft {
  readonly #pending = new Map<string, Uint8Array>();

  /** Bytes that the objects take up on the disk. */
  get bytes(): number {
    return bytesOnDisk(this.#pending.values());
  }

  readonly promises = {
    readFile: async (path: string, options?: { encoding?: BufferEncoding } | BufferEncoding) => {
      const pending = this.#pending.get(path);
      if (pending === undefined) return fs.readFile(path, options ?? null);
      const encoding = typeof options === "string" ? options : options?.encoding;
      return encoding === undefined ? Buffer.from(pending) : Buffer.from(pending).toString(encoding);
    },
    writeFile: async (path: string, bytes: Uint8Array) => {
      this.#pending.set(path, bytes);
    },
    // The library only asks whether there is something.
    stat: async (path: string) => (this.#pending.has(path) ? undefined : fs.stat(path)),
    lstat: async (path: string) => (this.#pending.has(path) ? undefined : fs.lstat(path)),
    readdir: (path: string) => fs.readdir(path),
    readlink: (path: string) => fs.readlink(path),
    mkdir: async () => undefined,
    rmdir: refuseWrite,
    unlink: refuseWrite,
    symlink: refuseWrite,
  };

  /**
   * Puts everything on the disk and says how many bytes that takes up. `objects` is the repository's folder of objects, where
   * the temporary files of one save take the place of those that a killed process left; git knows them by their name.
   */
  async save(objects: string): Promise<number> {
    const { size } = this.#pending;
    if (size === 0) return 0;
    if (size <= smallDraftMax) return this.#save(objects, filesOf.small);
    return oneLarge(() => this.#save(objects, filesOf.large));
  }

  async #save(objects: string, limit: LimitFunction): Promise<number> {
    const fresh: [path: string, bytes: Uint8Array][] = [];
    for (const [path, bytes] of this.#pending) if (!(await exists(path))) fresh.push([path, bytes]);
    const writes = fresh.map(([, bytes], at) =>
      limit(() => writeSynced(temporaryAt(objects, at), bytes, platform.finalFileMode)),
    );
    const failed = (await Promise.allSettled(writes)).find(({ status }) => status === "rejected");
    if (failed?.status === "rejected") {
      // The rest of a failed save must not fill a full disk.
      await limit.map(fresh, (_, at) => fs.rm(temporaryAt(objects, at), { force: true }));
      throw failed.reason;
    }
    // Folders of existing objects are synced too: a process that was killed before its sync may have made their names.
    const folders = new Set([...this.#pending.keys()].map((path) => dirname(path)));
    for (const folder of folders) await fs.mkdir(folder, { recursive: true, mode: 0o700 });
    await limit.map(fresh, ([path], at) => fs.rename(temporaryAt(objects, at), path));
    await limit.map([objects, ...folders], syncFolder);
    this.#pending.clear();
    return bytesOnDisk(fresh.map(([, bytes]) => bytes));
  }
}

function bytesOnDisk(files: Iterable<Uint8Array>): number {
  let blocks = 0;
  for (const { byteLength } of files) blocks += Math.ceil(byteLength / blockBytes);
  return blocks * blockBytes;
}

function temporaryAt(objects: string, at: number): string {
  return `${objects}/tmp_obj_${at}`;
}

function refuseWrite(): Promise<never> {
  return Promise.reject(new Error("refs and folders are not written through the library"));
}
