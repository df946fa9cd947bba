import type { Reader } from "../../lib/reader-queue.ts";

/** The owner of the threads that work for a reader. Strangers share the threads that one user may have. */
export function ownerOf({ name, isStranger }: Reader): string {
  return isStranger ? "strangers" : name;
}
