import { Failure } from "../../domain/failure.ts";
import { isEssentialWork } from "../../domain/work-budget.ts";

/** The shortest time between two readings of the system's memory. */
const lookMs = 250;
/** The largest accepted changes while memory is low, and while it is very low. */
const lowBytesMax = 4 * 1024;
const veryLowBytesMax = 1024;

/**
 * Throws 507 for a change that is too large for the free memory, and for any but essential work when there is nearly none.
 */
export type RequireMemory = (bytes: number) => void;

/** The memory that this process may use, and what is free of it, in bytes. */
export interface MemorySpace {
  readonly sizeBytes: number;
  readonly freeBytes: number;
}

/** Reads the memory of the machine, or of the control group that the process is in. */
export function systemMemory(): MemorySpace {
  return { sizeBytes: process.constrainedMemory(), freeBytes: process.availableMemory() };
}

/**
 * Protects memory, which holds all documents, from filling up. Below `minFreePercent` it accepts only small changes, below
 * half of that only very small ones, and below a quarter none, since many small changes fill memory too. Essential work,
 * such as a removal, may always make small changes. 0 accepts everything.
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
