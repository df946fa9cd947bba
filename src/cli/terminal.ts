import { fstatSync, writeSync } from "node:fs";

const stderr = 2;

/**
 * Talk for people: stderr, as it is. `console.error` would paint it red on a terminal, and `process.stderr` takes 8 ms
 * to come into being, a third of a start.
 */
export function say(text: string): void {
  writeSync(stderr, `${text}\n`);
}

/** Whether a person watches stderr. Only a character device can be a terminal; for others `node:tty` is not loaded. */
export function isWatched(): boolean {
  if (!fstatSync(stderr).isCharacterDevice()) return false;
  const { isatty } = require("node:tty") as typeof import("node:tty");
  return isatty(stderr);
}
