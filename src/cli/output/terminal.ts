import { fstatSync, type Stats, writeSync } from "node:fs";
import { StartError } from "../../domain/start-error.ts";

export const stdout = 1;
export const stderr = 2;

/**
 * Writes a message for people to stderr, unchanged. `console.error` would paint it red on a terminal, and
 * `process.stderr` takes 8 ms to create, a third of a start. If stderr is full or closed, the message is lost.
 */
export function printMessage(text: string): void {
  try {
    writeSync(stderr, `${text}\n`);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}

/**
 * Writes data to stdout. False once the reader has stopped, as `head` does before the end. Throws `StartError` where it
 * cannot be written.
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

/** `Bun.write` would cut a file after these bytes, with what others and earlier calls wrote to it. */
function writeWhole(data: string | Uint8Array): void {
  const bytes = Buffer.from(data);
  for (let written = 0; written < bytes.length; ) written += writeSync(stdout, bytes, written);
}

/** Whether stdout or stderr is a terminal. For pipes and files `node:tty` is not loaded. */
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

/** Windows has none about some of the files that a process starts with. */
function factsOf(fd: number): Stats | undefined {
  try {
    return fstatSync(fd);
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

/** Colours are for terminals whose owner has not said NO_COLOR. */
export function wantsColour(fd: number): boolean {
  return isTty(fd) && (process.env.NO_COLOR ?? "") === "";
}
