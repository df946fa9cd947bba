import { fstatSync, writeSync } from "node:fs";

export const stdout = 1;
export const stderr = 2;

/**
 * Talk for people: stderr, as it is. `console.error` would paint it red on a terminal, and `process.stderr` takes 8 ms
 * to come into being, a third of a start.
 */
export function say(text: string): void {
  writeSync(stderr, `${text}\n`);
}

/** Data: stdout, as it is. False once nobody reads any more: whoever does may stop before the end, as `head` does. */
export async function print(data: string | Uint8Array<ArrayBuffer>): Promise<boolean> {
  try {
    await Bun.write(Bun.stdout, data);
    return true;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EPIPE")) throw error;
    return false;
  }
}

/** Whether a person watches stdout or stderr. For what is no character device, `node:tty` is not loaded. */
export function isWatched(fd: number): boolean {
  if (!fstatSync(fd).isCharacterDevice()) return false;
  const { isatty } = require("node:tty") as typeof import("node:tty");
  return isatty(fd);
}

/** Colours are for terminals whose owner has not said NO_COLOR. */
export function wantsColour(fd: number): boolean {
  return isWatched(fd) && (process.env.NO_COLOR ?? "") === "";
}
