import { dlopen, FFIType } from "bun:ffi";
import * as fs from "node:fs";
import { hostname } from "node:os";
import { StartError } from "../domain/start-error.ts";

const lockExclusive = 2;
const doNotWait = 4;

/** The lock on a data folder: held by the kernel for this process, gone with it however it dies. */
export interface FolderLock {
  release(): void;
}

/**
 * Takes `DATA/lock`, or throws a `StartError` that names who holds it. The file's text is for people; the lock is
 * the kernel's `flock`, so a file left behind by a killed process blocks nobody.
 */
export function lockFolder(folder: string): FolderLock {
  const path = `${folder}/lock`;
  const fd = fs.openSync(path, fs.constants.O_RDWR | fs.constants.O_CREAT, 0o600);
  if (flock(fd, lockExclusive | doNotWait) !== 0) {
    const holder = fs.readFileSync(path, "utf8").trim();
    fs.closeSync(fd);
    throw new StartError(
      `data folder ${folder} is locked by ${holder === "" ? "another process" : holder}`,
      (verb) => `${stopCommandFor(holder)}outpost ${verb} --data DIR, with another folder`,
    );
  }
  fs.ftruncateSync(fd);
  fs.writeSync(fd, `process ${process.pid} on ${hostname()}\n`, 0);
  return { release: () => fs.closeSync(fd) };
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
