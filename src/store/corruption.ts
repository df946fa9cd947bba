import { exitCodes, StartError } from "../domain/start-error.ts";

/** Returns the error for a corrupt file. The store does not start with it, rather than guess what the file held. */
export function corruptionError(path: string, offset: number | undefined, found: string): StartError {
  const place = offset === undefined ? path : `${path} at byte ${offset}`;
  return new StartError(
    `the store is damaged: ${place}: ${found}`,
    "outpost check, which says what --repair would do; or outpost restore FILE --data DIR, from a backup",
    { exitCode: exitCodes.damaged },
  );
}
