import { writeSync } from "node:fs";
import { stderr } from "../output/terminal.ts";

/** Destination of the lines of a log. */
export interface LogOutput {
  /** Takes whole lines. They leave in their order, and soon. */
  write(lines: string): void;
  /** Writes the lines that were taken. */
  flush(): void;
  /** Lines that were thrown away so far. */
  readonly droppedLines: number;
}

/** Stderr, for commands that end by themselves. Lines that it does not take are lost: a log blocks nothing. */
export const directOutput: LogOutput = {
  write(lines) {
    let rest = Buffer.from(lines);
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(stderr, rest));
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error;
    }
  },
  flush() {},
  droppedLines: 0,
};
