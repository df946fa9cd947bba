import { closeSync, constants, fstatSync, openSync } from "node:fs";

/** The path names a pipe, a device, a socket or a folder. */
export class NotRegularFile extends Error {
  override readonly name = "NotRegularFile";
  // As errors of the system have them.
  readonly code = "EFTYPE";
  readonly syscall = "open";

  constructor(path: string) {
    super(`${path} is not a regular file`);
  }
}

const flagsOf = { r: constants.O_RDONLY, "r+": constants.O_RDWR } as const;

/**
 * Opens a file that is there. Opening a pipe would otherwise wait until another program opens it, too. Throws `NotRegularFile`, and
 * as `openSync`.
 */
export function openRegular(path: string, flags: keyof typeof flagsOf = "r"): number {
  // Windows has neither the flag nor such files in folders.
  const file = openSync(path, flagsOf[flags] | (constants.O_NONBLOCK ?? 0));
  try {
    if (fstatSync(file).isFile()) return file;
    throw new NotRegularFile(path);
  } catch (error) {
    closeSync(file);
    throw error;
  }
}
