import { fstatSync, type Stats, writeSync } from "node:fs";
import { StartError } from "../../domain/start-error.ts";

export const stdout = 1;
export const stderr = 2;

/**
 * Writes a message to stderr. `console.error` would make it red on a terminal, and `process.stderr` takes 8 ms to create, a
 * third of a start. If stderr is full or closed, the message is lost.
 */
export function printMessage(text: string): void {
  try {
    writeSync(stderr, `${text}\n`);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}

/**
 * Writes data to stdout. Returns false once the reader has stopped, as `head` does. Throws `StartError` for other errors.
 */
export async function print(data: string | Uint8Array<ArrayBuffer>): Promise<boolean> {
  try {
    if (isFile(stdout)) writeWhole(data);
    else await Bun.write(Bun.stdout, data);
    return true;
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    if (error.code === "EPIPE") return false;
    throw new StartError(
      `stdout cannot be written: ${error.message}`,
      (command) => `outpost ${command} > FILE, on another disk`,
      {
        cause: error,
      },
    );
  }
}

/** Writes all data. `Bun.write` would truncate a file after these bytes, and lose what was written before. */
function writeWhole(data: string | Uint8Array): void {
  const bytes = Buffer.from(data);
  for (let written = 0; written < bytes.length; ) written += writeSync(stdout, bytes, written);
}

/** True when stdout or stderr is a terminal. For pipes and files, `node:tty` is not loaded. */
export function isTty(fd: number): boolean {
  if (!mayBeTerminal(fd)) return false;
  const { isatty } = require("node:tty") as typeof import("node:tty");
  return isatty(fd);
}

function mayBeTerminal(fd: number): boolean {
  return factsOf(fd)?.isCharacterDevice() ?? true;
}

function isFile(fd: number): boolean {
  return factsOf(fd)?.isFile() ?? false;
}

/** Returns undefined on Windows for some inherited files. */
function factsOf(fd: number): Stats | undefined {
  try {
    return fstatSync(fd);
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

/** True when the output is a terminal and NO_COLOR is not set. */
export function wantsColour(fd: number): boolean {
  return isTty(fd) && (process.env.NO_COLOR ?? "") === "";
}
