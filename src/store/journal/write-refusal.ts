import { statfsSync } from "node:fs";
import { Failure } from "../../domain/failure.ts";
import { ShortWrite } from "../disk.ts";

/** The reason why no change can be made durable now, for administrators. */
export type WriteRefusal =
  | "stopping"
  | "no space for writes"
  | "the store is broken"
  | `the journal cannot be written (${string})`;

/** A size that hardly any transaction exceeds. */
const ordinaryTransactionBytes = 16 << 10;

/** Tries to reserve space for a transaction. Returns why that fails, or undefined. */
export function findWriteRefusal(reserve: (bytes: number) => void): WriteRefusal | undefined {
  try {
    reserve(ordinaryTransactionBytes);
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return refusalOf(error.cause);
    throw error;
  }
}

function refusalOf(cause: unknown): WriteRefusal {
  if (cause === undefined) return "the store is broken";
  if (cause instanceof ShortWrite) return "no space for writes";
  if (cause instanceof Failure) return refusalOf(cause.cause);
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown reason";
  return code === "ENOSPC" || code === "EDQUOT" ? "no space for writes" : `the journal cannot be written (${code})`;
}

/** The size of a disk and the space that this user may still take, in bytes. */
export interface DiskSpace {
  readonly sizeBytes: number;
  readonly freeBytes: number;
}

/** Returns the space on the disk of a folder; undefined if the system does not report it. */
export function diskSpaceOf(folder: string): DiskSpace | undefined {
  try {
    const { blocks, bavail, bsize } = statfsSync(folder);
    return { sizeBytes: blocks * bsize, freeBytes: bavail * bsize };
  } catch {
    return undefined;
  }
}
