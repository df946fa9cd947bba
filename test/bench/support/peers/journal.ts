import { closeSync, fdatasync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

/** Resolves once the document is on the disk; undefined: it is there already. */
export type Save = (document: { readonly id: number }) => Promise<void> | undefined;

const preallocatedBytes = 1 << 30;

/** A group commit with nothing around it: one file, and one sync at a time, which begins a turn of the event loop after the first line of its group. */
export function openJournal(folder: string): Save {
  const syncData = promisify(fdatasync);
  const path = join(folder, "journal");
  const file = openSync(path, "w");
  const zeros = new Uint8Array(1 << 20);
  for (let written = 0; written < preallocatedBytes; written += zeros.length) writeSync(file, zeros);
  fdatasyncSync(file);
  process.once("exit", () => closeSync(file));
  let position = 0;
  let lines: string[] = [];
  let group: Promise<void> | undefined;
  let syncing: Promise<void> | undefined;
  const flush = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    await syncing;
    const bytes = Buffer.from(lines.join(""));
    lines = [];
    group = undefined;
    writeSync(file, bytes, 0, bytes.length, position);
    position += bytes.length;
    syncing = syncData(file);
    await syncing;
  };
  return (document) => {
    lines.push(`${JSON.stringify(document)}\n`);
    group ??= flush();
    return group;
  };
}
