import { dlopen, FFIType } from "bun:ffi";
import * as fs from "node:fs";
import { hostname } from "node:os";
import { StartError } from "../domain/start-error.ts";
import { isFull } from "./space.ts";
import { explainUnusable } from "./unusable.ts";

const lockExclusive = 2;
const doNotWait = 4;

/** The lock on a data folder: held by the kernel for this process, gone with it however it dies. */
export interface FolderLock {
  release(): void;
}

/** Another process has the folder. */
export class FolderIsHeld extends StartError {}

/**
 * Takes `DATA/lock`, or throws a `FolderIsHeld` that names who holds it, or a `StartError` with what the system has against it. The file's text is for people; the lock is
 * the kernel's `flock`, so a file left behind by a killed process blocks nobody.
 */
export function lockFolder(folder: string): FolderLock {
  const path = `${folder}/lock`;
  const fd = open(path, folder);
  if (flock(fd, lockExclusive | doNotWait) !== 0) {
    const holder = fs.readFileSync(path, "utf8").trim();
    fs.closeSync(fd);
    throw new FolderIsHeld(
      `data folder ${folder} is locked by ${holder === "" ? "another process" : holder}`,
      (verb) => `${stopCommandFor(holder)}outpost ${verb} --data DIR, with another folder`,
    );
  }
  noteHolder(fd);
  return { release: () => fs.closeSync(fd) };
}

function open(path: string, folder: string): number {
  try {
    return fs.openSync(path, fs.constants.O_RDWR | fs.constants.O_CREAT, 0o600);
  } catch (error) {
    throw explainUnusable(folder, error);
  }
}

/** A full disk has no room for the text, and whoever reads or checks the folder needs none. */
function noteHolder(fd: number): void {
  fs.ftruncateSync(fd);
  try {
    fs.writeSync(fd, `process ${process.pid} on ${hostname()}\n`, 0);
  } catch (error) {
    if (!isFull(error)) throw error;
  }
}

/** Only of a process of this machine, as the lock file has it. */
function stopCommandFor(holder: string): string {
  const [, pid, host] = /^process (\d+) on (\S+)$/.exec(holder) ?? [];
  return pid === undefined || host !== hostname() ? "" : `kill ${pid}, which ends that server cleanly; or `;
}

let nativeFlock: ((fd: number, operation: number) => number) | undefined;

function flock(fd: number, operation: number): number {
  nativeFlock ??= dlopen(process.platform === "darwin" ? "libc.dylib" : "libc.so.6", {
    flock: { args: [FFIType.i32, FFIType.i32], returns: FFIType.i32 },
  }).symbols.flock;
  return nativeFlock(fd, operation);
}
