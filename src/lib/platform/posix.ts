import { dlopen, FFIType } from "bun:ffi";
import * as fs from "node:fs";
import { posixDescriptors } from "./descriptors.ts";
import type { Platform } from "./platform.ts";

const lockExclusive = 2;
const doNotWait = 4;

/** Linux, macOS and similar systems. */
export function posix(name: NodeJS.Platform): Platform {
  return {
    lockFile: (path) => lockFile(path, name),
    syncsFolders: true,
    syncFlag: "r",
    finalFileMode: 0o444,
    folderInTheWay: ["EISDIR", "ENOTEMPTY"],
    stopSignals: ["SIGTERM", "SIGINT"],
    stopCommand: (pid) => `kill ${pid}`,
    memoryFolder: name === "linux" ? "/dev/shm" : undefined,
    hasSocketFiles: true,
    descriptors: () => posixDescriptors(libcOf(name), name),
    hasSystemd: name === "linux",
  };
}

/** Returns the file of the C library. musl accepts every name of a C library, so that of glibc works for both. */
export function libcOf(name: NodeJS.Platform): string {
  return name === "darwin" ? "libSystem.B.dylib" : "libc.so.6";
}

function lockFile(path: string, name: NodeJS.Platform) {
  const fd = fs.openSync(path, fs.constants.O_RDWR | fs.constants.O_CREAT, 0o600);
  if (flock(name)(fd, lockExclusive | doNotWait) === 0) return { release: () => fs.closeSync(fd) };
  fs.closeSync(fd);
  return undefined;
}

let nativeFlock: ((fd: number, operation: number) => number) | undefined;

function flock(name: NodeJS.Platform) {
  nativeFlock ??= dlopen(libcOf(name), {
    flock: { args: [FFIType.i32, FFIType.i32], returns: FFIType.i32 },
  }).symbols.flock;
  return nativeFlock;
}
