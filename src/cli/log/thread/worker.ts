/** The thread that writes the log, since a write to a full pipe blocks its thread. */
import { writeSync } from "node:fs";
import type { Log } from "../../../lib/log.ts";
import { LoopActivity } from "../../../lib/loop-activity.ts";
import type { LogOutput } from "../log-output.ts";
import { createLog, type LogChoice } from "../logger.ts";
import { LogCounters, waitingMax } from "./counters.ts";
import { HoldWatch } from "./hold-watch.ts";
import { LogWriter } from "./log-writer.ts";
import type { BeginOrder, LogOrder, WatchOrder } from "./orders.ts";

declare const self: Worker;

/** The milliseconds before the next write to a full pipe. */
const retryMs = 50;

let thread: LogWritingThread | undefined;

self.onmessage = ({ data }: MessageEvent<LogOrder>) => {
  if (data.kind === "begin") thread = new LogWritingThread(data);
  else if (data.kind === "watch") thread?.watch(data);
  else thread?.writer.take(data);
};

class LogWritingThread {
  readonly writer: LogWriter;
  readonly #choice: LogChoice;
  readonly #counters: LogCounters;

  constructor({ choice, descriptor, memory }: BeginOrder) {
    this.#choice = choice;
    this.#counters = new LogCounters(memory);
    this.writer = new LogWriter(this.#counters, {
      write: (bytes) => writeSync(descriptor, bytes),
      later: (action) => void setTimeout(action, retryMs),
      // An error, so that every log level shows it.
      noticeOf: (lines) => this.#lineOf((log) => log.error({ lines }, `${lines} lines dropped`)),
    });
  }

  watch({ memory }: WatchOrder): void {
    new HoldWatch(new LoopActivity(memory), {
      now: () => Date.now(),
      later: (action, ms) => void setTimeout(action, ms),
      warn: (hold) => this.#write(this.#lineOf((log) => log.warn(hold, "the event loop is blocked"))),
    });
  }

  #write(text: string): void {
    if (this.#counters.waiting > waitingMax) return;
    this.#counters.handOver(text.length);
    this.writer.take({ text, dropped: 0 });
  }

  /** Returns a log line; empty when the level does not show it. */
  #lineOf(write: (log: Log) => void): string {
    let text = "";
    const output: LogOutput = { write: (line) => (text += line), flush() {}, droppedLines: 0 };
    write(createLog(this.#choice, output));
    return text;
  }
}
