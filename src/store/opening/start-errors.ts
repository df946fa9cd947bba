import { Failure } from "../../domain/failure.ts";
import { StartError } from "../../domain/start-error.ts";
import { ShortWrite } from "../disk.ts";

/** Converts a file-system error into a `StartError` with a hint. Returns any other error unchanged. */
export function toStartError(folder: string, error: unknown): unknown {
  // The cause of a refused change is also a file-system error.
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
        // The user may not enter one of the parent folders.
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
