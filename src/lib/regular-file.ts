import { closeSync, constants, fstatSync, openSync } from "node:fs";

/** Thrown for a pipe, a device, a socket or a folder. */
export class NotRegularFile extends Error {
  override readonly name = "NotRegularFile";
  // The error code, as errors of the system have one.
  readonly code = "EFTYPE";
  readonly syscall = "open";

  constructor(path: string) {
    super(`${path} is not a regular file`);
  }
}

const flagsOf = { r: constants.O_RDONLY, "r+": constants.O_RDWR } as const;

/**
 * Opens an existing file. Throws `NotRegularFile`, and the errors of `openSync`. Without its check, opening a pipe would
 * wait for another program.
 */
export function openRegular(path: string, flags: keyof typeof flagsOf = "r"): number {
  // Windows has neither the flag nor pipes in folders.
  const file = openSync(path, flagsOf[flags] | (constants.O_NONBLOCK ?? 0));
  try {
    if (fstatSync(file).isFile()) return file;
    throw new NotRegularFile(path);
  } catch (error) {
    closeSync(file);
    throw error;
  }
}
