import { Failure } from "../../domain/failure.ts";
import { isEssentialWork } from "../../domain/work-budget.ts";

/** The system is asked at most this often. */
const lookMs = 250;
/** The largest changes that are accepted while memory is low, and while it is very low. */
const lowBytesMax = 4 * 1024;
const veryLowBytesMax = 1024;

/** Throws 507 for a change that is too large for the memory that is left, or that only essential work may make. */
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
 * Keeps documents, which are all in memory, from filling it. Below `minFreePercent` only small changes are accepted, below half
 * of it only very small ones, and below a quarter none: many very small ones fill memory, too. Essential work, such as a removal, may
 * make small changes all the time. 0: everything is accepted.
 */
export function memoryGuard(minFreePercent: number, read = systemMemory, now = () => performance.now()): RequireMemory {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let freePercent = 100;
  const look = () => {
    if (now() - lookedAt < lookMs) return;
    lookedAt = now();
    const { sizeBytes, freeBytes } = read();
    freePercent = (freeBytes / sizeBytes) * 100;
  };
  return (bytes) => {
    if (minFreePercent === 0) return;
    look();
    if (freePercent >= minFreePercent) return;
    const isEssential = isEssentialWork();
    if (freePercent < minFreePercent / 4 && !isEssential) {
      throw noRoom(
        `less than ${minFreePercent / 4} % of the memory is free; only deletions, signing in, and changes by administrators are accepted`,
      );
    }
    const isVeryLow = freePercent < minFreePercent / 2 && !isEssential;
    if (bytes > (isVeryLow ? veryLowBytesMax : lowBytesMax)) {
      throw noRoom(`less than ${minFreePercent} % of the memory is free`);
    }
  };
}

function noRoom(reason: string): Failure {
  return new Failure("no_room", { message: `507 Insufficient Storage - ${reason}` });
}
