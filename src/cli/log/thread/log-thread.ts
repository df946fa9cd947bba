import type { LoopActivity } from "../../../lib/loop-activity.ts";
import { printMessage, stderr } from "../../output/terminal.ts";
import type { LogOutput } from "../log-output.ts";
import type { LogChoice } from "../logger.ts";
import { countLines, LogCounters, waitingMax } from "./counters.ts";
import type { LogOrder } from "./orders.ts";

/** Lines are sent together: after this many characters, or after this time. */
const gatheredMax = 65_536;
const gatheredMsMax = 10;
/** The milliseconds between attempts to report dropped lines. */
const noticeMs = 1_000;
/** The longest wait for the reader of the log at the end of the process, in milliseconds. */
const endMsMax = 1_000;

/**
 * Writes lines on a separate thread, which starts with the first line. A log that no one reads blocks that thread, never the
 * server.
 */
export class LogThread implements LogOutput {
  readonly #choice: LogChoice;
  readonly #program: URL;
  readonly #descriptor: number;
  readonly #counters = new LogCounters();
  #worker: Worker | undefined;
  #watched: LoopActivity | undefined;
  #gathered = "";
  #timer: ReturnType<typeof setTimeout> | undefined;
  #noticeTimer: ReturnType<typeof setTimeout> | undefined;
  #isFull = false;
  /** Dropped lines that the thread does not know of yet. */
  #unreported = 0;
  #isAtEnd = false;

  /** `program` is the URL of `worker.ts`. */
  constructor(choice: LogChoice, program: URL, descriptor = stderr) {
    this.#choice = { logFormat: choice.logFormat, logLevel: choice.logLevel };
    this.#program = program;
    this.#descriptor = descriptor;
    process.on("exit", () => this.end());
  }

  get droppedLines(): number {
    return this.#counters.dropped;
  }

  write(lines: string): void {
    this.#gathered += lines;
    if (this.#gathered.length >= gatheredMax) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), gatheredMsMax).unref();
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const text = this.#gathered;
    this.#gathered = "";
    if (text === "" && this.#unreported === 0) return;
    if (this.#hasRoomFor(text)) this.#handOver(text);
    else this.#drop(text);
  }

  /** Blocks the thread until all lines are written, for at most a second. */
  end(): void {
    this.flush();
    if (this.#isAtEnd) return;
    this.#isAtEnd = true;
    this.#counters.waitUntilSettled(endMsMax);
  }

  /** Makes the log's thread warn when this thread's event loop is blocked. */
  watch(activity: LoopActivity): void {
    if (this.#choice.logLevel === "silent") return;
    this.#watched = activity;
    this.#tellWatched();
  }

  #tellWatched(): void {
    if (this.#watched === undefined) return;
    const { memory } = this.#watched;
    this.#post({ kind: "watch", memory });
  }

  /** True when a text may wait. After a full buffer, lines are dropped until it is half empty. */
  #hasRoomFor(text: string): boolean {
    this.#isFull = this.#counters.waiting + text.length > (this.#isFull ? waitingMax / 2 : waitingMax);
    return !this.#isFull;
  }

  #handOver(text: string): void {
    this.#worker ??= this.#start();
    this.#counters.handOver(text.length);
    this.#post({ kind: "lines", text, dropped: this.#unreported });
    this.#unreported = 0;
  }

  #drop(text: string): void {
    const lines = countLines(text);
    this.#unreported += lines;
    this.#counters.drop(lines);
    // Without further lines, the count would never be written.
    this.#noticeTimer ??= setTimeout(() => {
      this.#noticeTimer = undefined;
      this.flush();
    }, noticeMs).unref();
  }

  #start(): Worker {
    const worker = new Worker(this.#program, { smol: true });
    worker.unref();
    worker.onerror = ({ message }) => {
      // The next line starts another worker.
      this.#worker = undefined;
      this.#counters.settle(this.#counters.waiting);
      printMessage(`the log thread failed: ${message}`);
    };
    this.#worker = worker;
    const { memory } = this.#counters;
    this.#post({ kind: "begin", choice: this.#choice, descriptor: this.#descriptor, memory });
    this.#tellWatched();
    return worker;
  }

  #post(order: LogOrder): void {
    this.#worker?.postMessage(order);
  }
}
