import * as fs from "node:fs/promises";
import { dirname } from "node:path";
import { platform } from "../lib/platform/index.ts";
import { exists, syncFolder, writeSynced } from "./durable.ts";

/**
 * The file system of the git library while it writes: objects stay in memory until `save`, so that they reach the disk
 * together, each under its name only when it is whole, and a refused change leaves nothing behind. Reads see them.
 */
export class Draft {
  readonly #pending = new Map<string, Uint8Array>();

  get bytes(): number {
    return [...this.#pending.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
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
   * Puts everything on the disk and says how many bytes that were. `objects` is the repository's folder of objects, where
   * the temporary files of one save take the place of those that a killed process left; git knows them by their name.
   */
  async save(objects: string): Promise<number> {
    if (this.#pending.size === 0) return 0;
    const fresh: [path: string, bytes: Uint8Array][] = [];
    for (const [path, bytes] of this.#pending) if (!(await exists(path))) fresh.push([path, bytes]);
    try {
      await Promise.all(
        fresh.map(([, bytes], at) => writeSynced(temporaryAt(objects, at), bytes, platform.finalFileMode)),
      );
    } catch (error) {
      // The rest of a failed save must not fill a full disk.
      await Promise.allSettled(fresh.map((_, at) => fs.rm(temporaryAt(objects, at), { force: true })));
      throw error;
    }
    // Folders of existing objects are synced too: a process that was killed before its sync may have made their names.
    const folders = new Set([...this.#pending.keys()].map((path) => dirname(path)));
    for (const folder of folders) await fs.mkdir(folder, { recursive: true, mode: 0o700 });
    await Promise.all(fresh.map(([path], at) => fs.rename(temporaryAt(objects, at), path)));
    await Promise.all([objects, ...folders].map(syncFolder));
    this.#pending.clear();
    return fresh.reduce((sum, [, bytes]) => sum + bytes.byteLength, 0);
  }
}

function temporaryAt(objects: string, at: number): string {
  return `${objects}/tmp_obj_${at}`;
}

function refuseWrite(): Promise<never> {
  return Promise.reject(new Error("refs and folders are not written through the library"));
}
