import { Failure } from "../../domain/failure.ts";

/** The system is asked at most this often. */
const lookMs = 250;
/** The largest changes that are accepted while memory is low, and while it is very low. */
const lowBytesMax = 4 * 1024;
const veryLowBytesMax = 1024;

/** Throws 507 for a change that is too large for the memory that is left. */
export type RequireMemory = (bytes: number) => void;

/** Bytes: all memory that this process may use, and what is left of it. */
export interface MemorySpace {
  readonly sizeBytes: number;
  readonly freeBytes: number;
}

/** Reads the memory of the machine, or of the control group that the process is in. */
export function systemMemory(): MemorySpace {
  return { sizeBytes: process.constrainedMemory(), freeBytes: process.availableMemory() };
}

/**
 * Keeps documents, which are all in memory, from filling it. Below `minFreePercent` only small changes are taken, below half of
 * it very small ones; removals are. 0: everything is taken.
 */
export function memoryGuard(minFreePercent: number, read = systemMemory, now = () => performance.now()): RequireMemory {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let bytesMax = Number.POSITIVE_INFINITY;
  const look = () => {
    const { sizeBytes, freeBytes } = read();
    const freePercent = (freeBytes / sizeBytes) * 100;
    bytesMax = Number.POSITIVE_INFINITY;
    if (freePercent < minFreePercent) bytesMax = lowBytesMax;
    if (freePercent < minFreePercent / 2) bytesMax = veryLowBytesMax;
  };
  return (bytes) => {
    if (minFreePercent === 0 || bytes <= veryLowBytesMax) return;
    if (now() - lookedAt >= lookMs) {
      lookedAt = now();
      look();
    }
    if (bytes <= bytesMax) return;
    throw new Failure("no_room", {
      message: `507 Insufficient Storage - less than ${minFreePercent} % of the memory is free`,
    });
  };
}
