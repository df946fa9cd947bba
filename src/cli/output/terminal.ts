import { fstatSync, writeSync } from "node:fs";
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
    await Bun.write(Bun.stdout, data);
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

/** Whether stdout or stderr is a terminal. For pipes and files `node:tty` is not loaded. */
export function isTty(fd: number): boolean {
  if (!mayBeTerminal(fd)) return false;
  const { isatty } = require("node:tty") as typeof import("node:tty");
  return isatty(fd);
}

function mayBeTerminal(fd: number): boolean {
  try {
    return fstatSync(fd).isCharacterDevice();
  } catch (error) {
    // Windows has no facts about some of the files that a process starts with.
    if (error instanceof Error && "code" in error) return true;
    throw error;
  }
}

/** Colours are for terminals whose owner has not said NO_COLOR. */
export function wantsColour(fd: number): boolean {
  return isTty(fd) && (process.env.NO_COLOR ?? "") === "";
}
