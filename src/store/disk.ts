import * as fs from "node:fs";
import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { withFdReserve } from "../lib/fd-limit.ts";
import { platform } from "../lib/platform/index.ts";
import { openRegular } from "../lib/regular-file.ts";

/** An open file. Positions and lengths are in bytes. Every method throws the error of the operating system. */
export interface DiskFile {
  /**
   * Writes as much as the disk takes, and returns the number of bytes. Fewer than given means that the disk is nearly full.
   */
  write(bytes: Uint8Array, position: number): number;
  /** Does what `write` does, off the event loop. */
  writeLater(bytes: Uint8Array, position: number): Promise<number>;
  /** Returns when everything written so far is on the disk. */
  sync(): void;
  /** Does what `sync` does, off the event loop. */
  syncLater(): Promise<void>;
  close(): void;
}

/**
 * Every disk operation of the store, so that a test can replace it. Folders have mode 0700, files 0600. A create, rename or
 * remove survives a power loss only after a sync of its folder.
 */
export interface Disk {
  makeFolder(path: string): void;
  /** Returns the names in a folder, sorted; an empty list when the folder does not exist. */
  list(path: string): string[];
  exists(path: string): boolean;
  read(path: string): Uint8Array;
  /** Returns the size of a file in bytes. */
  sizeOf(path: string): number;
  /** Reads a part of a file, into `into` if given. Returns fewer bytes when the file ends earlier. */
  readPart(path: string, offset: number, length: number, into?: Uint8Array): Uint8Array;
  /** Opens a file for reading and writing. `fresh` creates the file, or empties an existing one. */
  open(path: string, mode: "fresh" | "existing"): DiskFile;
  rename(from: string, to: string): void;
  /** Removes a file. No error when it does not exist. */
  remove(path: string): void;
  /** Makes a hard link to a synced file, or a synced copy where the file system has no hard links. */
  link(from: string, to: string): void;
  /** Removes a folder and everything in it. No error when it does not exist. */
  removeFolderLater(path: string): Promise<void>;
  syncFolder(path: string): void;
  syncFolderLater(path: string): Promise<void>;
}

/** Errors of file systems that have no hard links, or do not allow them for these files. */
const withoutLinks = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EXDEV"];

const fdatasync = promisify(fs.fdatasync);
const fsync = promisify(fs.fsync);

function openDiskFile(path: string, mode: "fresh" | "existing"): DiskFile {
  const fd = withFdReserve(() => (mode === "fresh" ? fs.openSync(path, "w+", 0o600) : openRegular(path, "r+")));
  return {
    write: (bytes, position) => fs.writeSync(fd, bytes, 0, bytes.byteLength, position),
    writeLater: (bytes, position) =>
      new Promise((resolve, reject) => {
        fs.write(fd, bytes, 0, bytes.byteLength, position, (error, written) => {
          if (error === null) resolve(written);
          else reject(error);
        });
      }),
    sync: () => fs.fdatasyncSync(fd),
    syncLater: () => fdatasync(fd),
    close: () => fs.closeSync(fd),
  };
}

function syncPath(path: string): void {
  const fd = withFdReserve(() => fs.openSync(path, platform.syncFlag));
  try {
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

/** Unlike `existsSync`, throws when the process may not look. */
function exists(path: string): boolean {
  return fs.statSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** The real file system. */
export const systemDisk: Disk = {
  makeFolder(path) {
    fs.mkdirSync(path, { recursive: true, mode: 0o700 });
  },
  list(path) {
    try {
      return withFdReserve(() => fs.readdirSync(path)).sort();
    } catch (error) {
      // Any other error is thrown: an unreadable folder must not look like an empty one.
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
      throw error;
    }
  },
  exists,
  read(path) {
    const fd = withFdReserve(() => openRegular(path));
    try {
      return fs.readFileSync(fd);
    } finally {
      fs.closeSync(fd);
    }
  },
  sizeOf: (path) => fs.statSync(path).size,
  readPart(path, offset, length, bytes = new Uint8Array(length)) {
    const fd = withFdReserve(() => openRegular(path));
    try {
      return bytes.subarray(0, fs.readSync(fd, bytes, 0, length, offset));
    } finally {
      fs.closeSync(fd);
    }
  },
  open: openDiskFile,
  rename: (from, to) => fs.renameSync(from, to),
  remove: (path) => fs.rmSync(path, { force: true }),
  link(from, to) {
    try {
      fs.linkSync(from, to);
    } catch (error) {
      if (!withoutLinks.includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
      fs.copyFileSync(from, to, fs.constants.COPYFILE_FICLONE);
      syncPath(to);
    }
  },
  removeFolderLater: (path) => rm(path, { recursive: true, force: true }),
  syncFolder(path) {
    if (platform.syncsFolders) syncPath(path);
  },
  async syncFolderLater(path) {
    if (!platform.syncsFolders) return;
    const fd = withFdReserve(() => fs.openSync(path, "r"));
    try {
      await fsync(fd);
    } finally {
      fs.closeSync(fd);
    }
  },
};

/** Returns a disk that skips syncs, for a folder that is discarded after a crash and synced as a whole once complete. */
export function withoutSyncs(disk: Disk): Disk {
  return {
    ...disk,
    open: (path, mode) => ({ ...disk.open(path, mode), sync: () => undefined, syncLater: async () => undefined }),
    syncFolder: () => undefined,
    syncFolderLater: async () => undefined,
  };
}

/**
 * Replaces a small file so that a power loss leaves either the old or the new one: temporary file, sync, rename, sync of the
 * folder. Throws when the disk has no room for all of it.
 */
export function replaceFile(disk: Disk, folder: string, name: string, bytes: Uint8Array): void {
  const temporary = `${folder}/${name}.tmp`;
  const file = disk.open(temporary, "fresh");
  try {
    writeFully(file, bytes, 0);
    file.sync();
  } finally {
    file.close();
  }
  disk.rename(temporary, `${folder}/${name}`);
  disk.syncFolder(folder);
}

/** Makes a folder and its missing parents, and syncs them so that they survive a power loss. */
export function makeDurableFolder(disk: Disk, path: string): void {
  const missing: string[] = [];
  for (let at = path; !disk.exists(at); at = dirname(at)) missing.push(at);
  disk.makeFolder(path);
  for (const made of missing) disk.syncFolder(dirname(made));
}

/** Writes all bytes. Throws on a short write, which means that the disk is full. */
export function writeFully(file: DiskFile, bytes: Uint8Array, position: number): void {
  const written = file.write(bytes, position);
  if (written !== bytes.byteLength) throw new ShortWrite(written, bytes.byteLength);
}

/** Does what `writeFully` does, off the event loop. */
export async function writeFullyLater(file: DiskFile, bytes: Uint8Array, position: number): Promise<void> {
  const written = await file.writeLater(bytes, position);
  if (written !== bytes.byteLength) throw new ShortWrite(written, bytes.byteLength);
}

/** Thrown when the disk took fewer bytes than given and reported no error. */
export class ShortWrite extends Error {
  override readonly name = "ShortWrite";

  constructor(written: number, wanted: number) {
    super(`short write: ${written} of ${wanted} bytes`);
  }
}
