import * as fs from "node:fs";
import { hostname } from "node:os";
import { StartError } from "../../domain/start-error.ts";
import { type FileLock, platform } from "../../lib/platform/index.ts";
import { isFull } from "../journal/space.ts";
import { toStartError } from "./start-errors.ts";

/** The lock on a data folder. A second release does nothing. */
export type FolderLock = FileLock;

/** Thrown when another process holds the lock of the folder. */
export class FolderIsHeld extends StartError {
  /** The address in the lock file; undefined when the process does not serve requests, or not yet. */
  readonly address: string | undefined;

  constructor(folder: string, { name, address }: Holder) {
    super(
      `data folder ${folder} is locked by ${name === "" ? "another process" : name}${address === undefined ? "" : `, which serves ${address}`}`,
      (command) => `${stopCommandFor(name)}outpost ${command} --data DIR, with another folder`,
    );
    this.address = address;
  }
}

/** The content of the lock file. */
interface Holder {
  /** `process 4711 on host`; empty when the disk had no room for it. */
  readonly name: string;
  readonly address: string | undefined;
}

/**
 * Locks `DATA/lock`. Throws `FolderIsHeld` that names the holder, or `StartError` for an error of the system. The operating
 * system holds the lock, so the file of a killed process does not block others.
 */
export function lockFolder(folder: string): FolderLock {
  const path = `${folder}/lock`;
  const lock = tryLock(path, folder);
  if (lock === undefined) throw new FolderIsHeld(folder, readHolder(path));
  withoutRoom(() => fs.writeFileSync(path, `process ${process.pid} on ${hostname()}\n`));
  let isHeld = true;
  return {
    release() {
      if (isHeld) lock.release();
      isHeld = false;
    },
  };
}

/** Writes the server's address into the lock file, for processes that find the folder locked. */
export function noteAddress(folder: string, address: string): void {
  withoutRoom(() => fs.appendFileSync(`${folder}/lock`, `${addressPrefix}${address}\n`));
}

/**
 * Returns the address of a folder's server; undefined if no server runs on this machine or its address is unknown. Takes no
 * lock.
 */
export function addressOfHolder(folder: string): string | undefined {
  try {
    const { name, address } = readHolder(`${folder}/lock`);
    const pid = pidOnThisMachine(name);
    // Signal 0 only checks that the process exists.
    return pid !== undefined && process.kill(pid, 0) ? address : undefined;
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

const addressPrefix = "listening on ";

function readHolder(path: string): Holder {
  const [name = "", ...lines] = fs.readFileSync(path, "utf8").split("\n");
  const noted = lines.find((line) => line.startsWith(addressPrefix));
  return { name: name.trim(), address: noted?.slice(addressPrefix.length) };
}

function tryLock(path: string, folder: string): FileLock | undefined {
  try {
    return platform.lockFile(path);
  } catch (error) {
    throw toStartError(folder, error);
  }
}

/** Ignores a full disk, since commands that only read or check the folder work without the text. */
function withoutRoom(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!isFull(error)) throw error;
  }
}

function stopCommandFor(holder: string): string {
  const pid = pidOnThisMachine(holder);
  return pid === undefined ? "" : `${platform.stopCommand(pid)}, which ends that server cleanly; or `;
}

/** Returns the process id in a lock file; undefined for a process of another machine. */
function pidOnThisMachine(holder: string): number | undefined {
  const [, pid, host] = /^process (\d+) on (\S+)$/.exec(holder) ?? [];
  return pid === undefined || host !== hostname() ? undefined : Number(pid);
}
