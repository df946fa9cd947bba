import { exitCodes, StartError } from "../domain/start-error.ts";

/** A file of the store holds something that was not written so: the store refuses to start rather than guess. */
export function damaged(path: string, offset: number | undefined, found: string): StartError {
  const place = offset === undefined ? path : `${path} at byte ${offset}`;
  return new StartError(
    `the store is damaged: ${place}: ${found}`,
    "outpost check, which says what --repair would do; or outpost restore FILE --data DIR, from a backup",
    { exitCode: exitCodes.damaged },
  );
}
