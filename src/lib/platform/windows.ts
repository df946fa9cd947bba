import { dlopen, FFIType } from "bun:ffi";
import * as fs from "node:fs";
import { resolve } from "node:path";
import type { FileLock, Platform } from "./platform.ts";

/** The functions of `kernel32.dll` that lock a file, replaceable in tests. */
export interface Kernel32 {
  /** Opens a file. Paths are UTF-16 with a final zero. Returns a handle, or `invalidHandle`. */
  CreateFileW(
    path: Uint8Array,
    access: number,
    share: number,
    security: null,
    disposition: number,
    flags: number,
    template: null,
  ): bigint;
  /** Locks bytes. Returns 0 on failure. `overlapped` has the offset of the lock. */
  LockFileEx(
    handle: bigint,
    flags: number,
    reserved: number,
    lengthLow: number,
    lengthHigh: number,
    overlapped: Uint8Array,
  ): number;
  CloseHandle(handle: bigint): number;
}

const readAndWrite = 0xc000_0000;
const shareAll = 7;
const openExisting = 3;
const normalFile = 0x80;
const lockExclusively = 2;
const failImmediately = 1;
export const invalidHandle = -1n;

/** The offset of the locked byte. Windows prevents reading locked bytes, so it lies beyond every file. */
const lockedOffset = 1n << 62n;

export function windows(load: () => Kernel32 = loadKernel32): Platform {
  return {
    lockFile: (path) => lockFile(path, load()),
    syncsFolders: false,
    // FlushFileBuffers needs write access.
    syncFlag: "r+",
    // Windows can neither replace nor remove a read-only file.
    finalFileMode: 0o600,
    folderInTheWay: ["EISDIR", "ENOTEMPTY", "EPERM", "EACCES", "EEXIST"],
    stopSignals: ["SIGINT", "SIGBREAK", "SIGHUP"],
    stopCommand: (pid) => `press Ctrl-C in the window of process ${pid}`,
    memoryFolder: undefined,
    hasSocketFiles: false,
    descriptors: undefined,
    hasSystemd: false,
  };
}

function lockFile(path: string, kernel32: Kernel32): FileLock | undefined {
  // The runtime creates the file, since its errors have the names of the system's errors.
  fs.closeSync(fs.openSync(path, fs.constants.O_RDWR | fs.constants.O_CREAT, 0o600));
  const name = Buffer.from(`${resolve(path)}\0`, "utf16le");
  const handle = kernel32.CreateFileW(name, readAndWrite, shareAll, null, openExisting, normalFile, null);
  if (handle === invalidHandle) throw new Error(`${path} cannot be opened to lock it`);
  if (kernel32.LockFileEx(handle, lockExclusively | failImmediately, 0, 1, 0, overlappedAt(lockedOffset)) === 0) {
    kernel32.CloseHandle(handle);
    return undefined;
  }
  return { release: () => void kernel32.CloseHandle(handle) };
}

/** Returns the `OVERLAPPED` structure of an offset: two words of the system, the offset, an event. */
function overlappedAt(position: bigint): Uint8Array {
  const bytes = Buffer.alloc(32);
  bytes.writeBigUInt64LE(position, 16);
  return bytes;
}

let loaded: Kernel32 | undefined;

function loadKernel32(): Kernel32 {
  loaded ??= dlopen("kernel32.dll", {
    CreateFileW: {
      args: [FFIType.ptr, FFIType.u32, FFIType.u32, FFIType.ptr, FFIType.u32, FFIType.u32, FFIType.ptr],
      returns: FFIType.i64,
    },
    LockFileEx: {
      args: [FFIType.i64, FFIType.u32, FFIType.u32, FFIType.u32, FFIType.u32, FFIType.ptr],
      returns: FFIType.i32,
    },
    CloseHandle: { args: [FFIType.i64], returns: FFIType.i32 },
  }).symbols;
  return loaded;
}
