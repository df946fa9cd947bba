import * as fs from "node:fs";
import { devNull } from "node:os";

const codes = ["EMFILE", "ENFILE"];

/** True when the process or system was out of file descriptors, which is temporary and not the request's fault. */
export function isFdLimit(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && codes.includes(String(thrown.code));
}

/** The number of reserved descriptors. A write of the store opens at most a file, its folder and their copies. */
const reserveMax = 8;
const reserve: number[] = [];

/** Opens the reserved descriptors, as far as there are any. A server calls this now and then. */
export function fillFdReserve(): void {
  try {
    while (reserve.length < reserveMax) reserve.push(fs.openSync(devNull, "r"));
  } catch (error) {
    if (!isFdLimit(error)) throw error;
  }
}

/** Opens a file of the store. Uses a reserved descriptor when no other is left. */
export function withFdReserve<T>(open: () => T): T {
  try {
    return open();
  } catch (error) {
    const spare = isFdLimit(error) ? reserve.pop() : undefined;
    if (spare === undefined) throw error;
    // The code between the two lines is synchronous, so no connection can take the descriptor.
    fs.closeSync(spare);
    return withFdReserve(open);
  }
}
