import * as fs from "node:fs";
import { devNull } from "node:os";

const codes = ["EMFILE", "ENFILE"];

/** Whether the system could open no more files or connections: a matter of the moment, not of the request. */
export function isFdLimit(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && codes.includes(String(thrown.code));
}

/** A write of the store has at most a file, its folder and their copies open. */
const reserveMax = 8;
const reserve: number[] = [];

/** Takes descriptors for `withFdReserve`, as far as there are any. A server calls this now and then. */
export function fillFdReserve(): void {
  try {
    while (reserve.length < reserveMax) reserve.push(fs.openSync(devNull, "r"));
  } catch (error) {
    if (!isFdLimit(error)) throw error;
  }
}

/** Opens a file of the store; when no descriptor is left, with one of the reserve. */
export function withFdReserve<T>(open: () => T): T {
  try {
    return open();
  } catch (error) {
    const spare = isFdLimit(error) ? reserve.pop() : undefined;
    if (spare === undefined) throw error;
    // Nothing runs between the two that could accept a connection.
    fs.closeSync(spare);
    return withFdReserve(open);
  }
}
