import { unavailable } from "../../domain/failure.ts";
import { ShortWrite } from "../disk.ts";

/** Whether the disk has no room left: bytes, names, or what one user may have of either. */
export function isFull(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return error instanceof ShortWrite || code === "ENOSPC" || code === "EDQUOT";
}

/** An error of the system: 503 if the disk is full, unchanged otherwise. */
export function unavailableIfFull(error: unknown): unknown {
  return isFull(error) ? unavailable(error) : error;
}

/** Throws 503 where there is no room for what `write` does. */
export async function inSpace<R>(write: () => Promise<R>): Promise<R> {
  try {
    return await write();
  } catch (error) {
    throw unavailableIfFull(error);
  }
}
