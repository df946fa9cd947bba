import { closeSync, constants, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createTempFolder } from "./temp-folder.ts";

/** A named pipe that nobody reads until the test does. */
export interface UnreadPipe extends AsyncDisposable {
  /** The descriptor that a process under test writes to. */
  readonly writer: number;
  /** Writes until the pipe takes no more. */
  fill(): void;
  /** All that is in it now; empty when nothing is. */
  read(): string;
}

/** `waits`: a write to the full pipe blocks who writes; else it fails with EAGAIN. */
export async function openUnreadPipe({ waits }: { readonly waits: boolean }): Promise<UnreadPipe> {
  const folder = await createTempFolder();
  const path = join(folder.path, "pipe");
  await Bun.$`mkfifo ${path}`;
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const filler = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  const writer = waits ? openSync(path, constants.O_WRONLY) : filler;
  return {
    writer,
    fill() {
      const filling = Buffer.from(`${"x".repeat(1023)}\n`);
      for (const piece of [filling, filling.subarray(-1)]) while (untilAgain(() => writeSync(filler, piece)) > 0) {}
    },
    read() {
      const pieces: Buffer[] = [];
      for (;;) {
        const piece = Buffer.alloc(65_536);
        const count = untilAgain(() => readSync(reader, piece));
        if (count === 0) return Buffer.concat(pieces).toString();
        pieces.push(piece.subarray(0, count));
      }
    },
    async [Symbol.asyncDispose]() {
      for (const descriptor of new Set([reader, filler, writer])) closeSync(descriptor);
      await folder.remove();
    },
  };
}

/** Returns the result of a call that does not block; 0 when it would have to. */
function untilAgain(call: () => number): number {
  try {
    return call();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EAGAIN") return 0;
    throw error;
  }
}
