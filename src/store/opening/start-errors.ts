import { Failure } from "../../domain/failure.ts";
import { StartError } from "../../domain/start-error.ts";
import { ShortWrite } from "../disk.ts";

/**
 * Makes an error of the operating system about a data folder a sentence with a hint. Any other error, a bug or one that
 * is explained already, comes back unchanged.
 */
export function toStartError(folder: string, error: unknown): unknown {
  // A refusal of a change is of the system, too, where it says what it was refused for.
  if (error instanceof Failure && error.cause !== undefined) return toStartError(folder, error.cause);
  if (!isOfSystem(error)) return error;
  const found = error instanceof ShortWrite ? `no space left (${error.message})` : error.message;
  return new StartError(`data folder ${folder} cannot be used: ${found}`, (command) => hintOf(error, folder, command), {
    cause: error,
  });
}

function isOfSystem(error: unknown): error is Error {
  return error instanceof ShortWrite || (error instanceof Error && "code" in error && "syscall" in error);
}

function hintOf(error: Error, folder: string, command: string): string {
  const elsewhere = `outpost ${command} --data DIR, with a folder that this user may write`;
  switch (error instanceof ShortWrite ? "ENOSPC" : (error as NodeJS.ErrnoException).code) {
    case "EACCES":
    case "EPERM":
      switch ((error as NodeJS.ErrnoException).syscall) {
        case "mkdir":
          return `sudo install -d -o "$(id -un)" ${folder}, or ${elsewhere}`;
        // A folder above it that this user may not enter.
        case "stat":
          return elsewhere;
        default:
          return `sudo chown -R "$(id -un)" ${folder}, or start Outpost as the user who owns it`;
      }
    case "EFTYPE":
      return "outpost restore FILE --data DIR, from a backup into another folder";
    case "EIO":
      return "outpost restore FILE --data DIR, from a backup to another disk, unless this one can be mended";
    case "ENOSPC":
    case "EDQUOT":
      return `outpost ${command} --data DIR, with a folder on another disk; or free some space there`;
    default:
      return elsewhere;
  }
}
