import { writeSync } from "node:fs";
import { stderr } from "../output/terminal.ts";

/** The destination of log lines. */
export interface LogOutput {
  /** Writes whole lines, in order and soon. */
  write(lines: string): void;
  /** Waits until all lines are written. */
  flush(): void;
  /** The number of dropped lines. */
  readonly droppedLines: number;
}

/** Stderr, for short commands. Lines that it does not accept are lost, so that a log never blocks. */
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
