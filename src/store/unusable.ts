import { StartError } from "../domain/start-error.ts";
import { ShortWrite } from "./disk.ts";

/**
 * What the operating system has against a data folder, as a sentence with a cure. Anything else, a bug or an error that
 * is explained already, comes back as it is.
 */
export function explainUnusable(folder: string, error: unknown): unknown {
  if (!isOfSystem(error)) return error;
  const found = error instanceof ShortWrite ? `no space left (${error.message})` : error.message;
  return new StartError(`data folder ${folder} cannot be used: ${found}`, cureOf(error), { cause: error });
}

function isOfSystem(error: unknown): error is Error {
  return error instanceof ShortWrite || (error instanceof Error && "code" in error && "syscall" in error);
}

function cureOf(error: Error): string {
  switch (error instanceof ShortWrite ? "ENOSPC" : (error as NodeJS.ErrnoException).code) {
    case "EACCES":
    case "EPERM":
      return "start Outpost as the user who owns the folder, or give all of it to this user: chown -R";
    case "EIO":
      return "look after the disk and start again, or restore the folder from a backup to another one";
    case "ENOSPC":
    case "EDQUOT":
      return "free some space there, or choose another folder: outpost serve --data DIR";
    default:
      return "give a folder that this user may write: outpost serve --data DIR";
  }
}
