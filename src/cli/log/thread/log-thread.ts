import type { LoopActivity } from "../../../lib/loop-activity.ts";
import { printMessage, stderr } from "../../output/terminal.ts";
import type { LogOutput } from "../log-output.ts";
import type { LogChoice } from "../logger.ts";
import { countLines, LogCounters, waitingMax } from "./counters.ts";
import type { LogOrder } from "./orders.ts";

/** Lines leave together: once there are so many characters, or after this time. */
const gatheredMax = 65_536;
const gatheredMsMax = 10;
/** Milliseconds between attempts to report dropped lines. */
const noticeMs = 1_000;
/** Longest wait for the reader of the log when the process ends, in milliseconds. */
const endMsMax = 1_000;

/**
 * Writes lines on a thread of its own, which starts with the first line: an unread log blocks that thread, never the
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
  /** Lines that were dropped here and not yet reported to the thread. */
  #untold = 0;
  #isAtEnd = false;

  /** `program` is `worker.ts`. */
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
    if (text === "" && this.#untold === 0) return;
    if (this.#hasRoomFor(text)) this.#handOver(text);
    else this.#drop(text);
  }

  /** Holds the thread until the written lines have left, for a second at most. */
  end(): void {
    this.flush();
    if (this.#isAtEnd) return;
    this.#isAtEnd = true;
    this.#counters.waitUntilSettled(endMsMax);
  }

  /** The thread warns when the event loop of this one is held, from its first lines on. */
  watch(activity: LoopActivity): void {
    if (this.#choice.logLevel === "silent") return;
    this.#watched = activity;
    this.#tellWatched();
  }

  #tellWatched(): void {
    if (this.#watched === undefined) return;
    const { memory } = this.#watched;
    this.#tell({ kind: "watch", memory });
  }

  /** Once there is none, lines are dropped until half of what waits is taken. */
  #hasRoomFor(text: string): boolean {
    this.#isFull = this.#counters.waiting + text.length > (this.#isFull ? waitingMax / 2 : waitingMax);
    return !this.#isFull;
  }

  #handOver(text: string): void {
    this.#worker ??= this.#start();
    this.#counters.handOver(text.length);
    this.#tell({ kind: "lines", text, dropped: this.#untold });
    this.#untold = 0;
  }

  #drop(text: string): void {
    const lines = countLines(text);
    this.#untold += lines;
    this.#counters.drop(lines);
    // Without further lines the count would not be written.
    this.#noticeTimer ??= setTimeout(() => {
      this.#noticeTimer = undefined;
      this.flush();
    }, noticeMs).unref();
  }

  #start(): Worker {
    const worker = new Worker(this.#program, { smol: true });
    worker.unref();
    worker.onerror = ({ message }) => {
      // Another one starts with the next line.
      this.#worker = undefined;
      this.#counters.settle(this.#counters.waiting);
      printMessage(`the log thread failed: ${message}`);
    };
    this.#worker = worker;
    const { memory } = this.#counters;
    this.#tell({ kind: "begin", choice: this.#choice, descriptor: this.#descriptor, memory });
    this.#tellWatched();
    return worker;
  }

  #tell(order: LogOrder): void {
    this.#worker?.postMessage(order);
  }
}
