import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Disk } from "../../../src/store/index.ts";

/** Files in memory, never synced: for thousands of starts of which none has to outlive a power loss. */
export interface MemoryDisk extends Disk {
  /** By absolute path. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** A disk of its own with the same files, but for those in `changed`. */
  copy(changed?: Readonly<Record<string, Uint8Array>>): MemoryDisk;
}

/** Reads the current files of a folder. */
export async function readIntoMemory(folder: string): Promise<MemoryDisk> {
  const files = new Map<string, Uint8Array>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) files.set(path, await readFile(path));
  }
  return memoryDisk(files);
}

function memoryDisk(files: Map<string, Uint8Array>): MemoryDisk {
  const get = (path: string) => {
    const bytes = files.get(path);
    if (bytes === undefined) throw Object.assign(new Error(`ENOENT: ${path}`), { code: "ENOENT" });
    return bytes;
  };
  const isFolder = (path: string) => [...files.keys()].some((each) => each.startsWith(`${path}/`));
  /** Contents are replaced, never changed, since copies share them. */
  const write = (path: string, bytes: Uint8Array, position: number) => {
    const before = get(path);
    const after = new Uint8Array(Math.max(before.byteLength, position + bytes.byteLength));
    after.set(before);
    after.set(bytes, position);
    files.set(path, after);
    return bytes.byteLength;
  };
  return {
    files,
    copy: (changed = {}) => memoryDisk(new Map([...files, ...Object.entries(changed)])),
    makeFolder() {},
    list(path) {
      const below = [...files.keys()].filter((each) => each.startsWith(`${path}/`));
      return [...new Set(below.map((each) => each.slice(path.length + 1).split("/", 1)[0] as string))].sort();
    },
    exists: (path) => path === "/" || files.has(path) || isFolder(path),
    read: get,
    sizeOf: (path) => get(path).byteLength,
    readPart: (path, offset, length) => get(path).slice(offset, offset + length),
    open(path, mode) {
      if (mode === "fresh") files.set(path, new Uint8Array(0));
      get(path);
      return {
        write: (bytes, position) => write(path, bytes, position),
        writeLater: async (bytes, position) => write(path, bytes, position),
        sync() {},
        async syncLater() {},
        close() {},
      };
    },
    rename(from, to) {
      files.set(to, get(from));
      files.delete(from);
    },
    remove: (path) => void files.delete(path),
    link: (from, to) => void files.set(to, get(from)),
    async removeFolderLater(path) {
      for (const each of [...files.keys()]) if (each.startsWith(`${path}/`)) files.delete(each);
    },
    syncFolder() {},
    async syncFolderLater() {},
  };
}
