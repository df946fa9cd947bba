/** The thread that writes the log: a write to a full pipe holds whoever writes, and the server has one thread. */
import { writeSync } from "node:fs";
import type { LogOutput } from "../log-output.ts";
import { createLog, type LogChoice } from "../logger.ts";
import { LogCounters } from "./counters.ts";
import { LogWriter } from "./log-writer.ts";
import type { BeginOrder, LogOrder } from "./orders.ts";

declare const self: Worker;

/** How long to wait before a pipe that takes nothing is tried again. */
const retryMs = 50;

let writer: LogWriter | undefined;

self.onmessage = ({ data }: MessageEvent<LogOrder>) => {
  if (data.kind === "begin") writer = begin(data);
  else writer?.take(data);
};

function begin({ choice, descriptor, memory }: BeginOrder): LogWriter {
  return new LogWriter(new LogCounters(memory), {
    write: (bytes) => writeSync(descriptor, bytes),
    later: (action) => void setTimeout(action, retryMs),
    noticeOf: (lines) => lineOf(choice, lines),
  });
}

/** An error: it is told at each level. */
function lineOf(choice: LogChoice, lines: number): string {
  let text = "";
  const output: LogOutput = { write: (line) => (text += line), flush() {}, droppedLines: 0 };
  createLog(choice, output).error({ lines }, `${lines} lines dropped`);
  return text;
}
