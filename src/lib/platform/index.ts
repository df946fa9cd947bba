import type { Platform } from "./platform.ts";
import { libcOf, posix } from "./posix.ts";
import { windows } from "./windows.ts";

export type { Descriptors, OpenConnection } from "./descriptors.ts";
export type { FileLock, Platform } from "./platform.ts";

/** The file of the C library; unused on Windows. */
export const libc = libcOf(process.platform);

/** The operating system of this process. */
export const platform: Platform = process.platform === "win32" ? windows() : posix(process.platform);
