import { unavailable } from "../../domain/failure.ts";
import { ShortWrite } from "../disk.ts";

/** True when the disk is full or a quota is reached, of bytes or of inodes. */
export function isFull(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return error instanceof ShortWrite || code === "ENOSPC" || code === "EDQUOT";
}

/** Converts a file-system error to 503 when the disk is full. Returns other errors unchanged. */
export function unavailableIfFull(error: unknown): unknown {
  return isFull(error) ? unavailable(error) : error;
}

/** Runs `write`. Throws 503 when the disk is full. */
export async function inSpace<R>(write: () => Promise<R>): Promise<R> {
  try {
    return await write();
  } catch (error) {
    throw unavailableIfFull(error);
  }
}
