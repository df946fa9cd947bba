import { isTty, printMessage, stderr, wantsColour } from "./terminal.ts";

/** The options of a progress display. Bytes are shown in kB and MB, other units by name. */
export interface ProgressOptions {
  /** The name of the task, such as `backing up`. */
  readonly task: string;
  /** `bytes`, or a plural such as `documents`. */
  readonly unit: string;
  /** The expected number, if known. */
  readonly total?: number | undefined;
  /** The milliseconds before anything is shown. */
  readonly quietMs?: number;
}

/** The output and clock of a progress display, which tests replace. */
export interface ProgressOutput {
  /** True to redraw one line on a terminal. Otherwise there is a new line every few seconds. */
  readonly isTerminal: boolean;
  readonly hasColour: boolean;
  readonly columns: number;
  /** Writes the text without a line feed. */
  write(text: string): void;
  /** Returns milliseconds. */
  now(): number;
}

const redrawMs = 100;
const lineMs = 5_000;
/** The maximum width of the bar, next to the text. */
const barWidthMax = 24;
const barWidthMin = 6;
const clearLine = "\r\x1b[K";

/**
 * A progress bar with rate and remaining time on stderr. Without a terminal, it is one line every five seconds, and nothing
 * for short work. `add` may be called any number of times. `end` must always be called: it removes the bar.
 */
export class Progress {
  #options: ProgressOptions;
  readonly #output: ProgressOutput;
  #startedAt: number;
  #total: number | undefined;
  #done = 0;
  #toldAt: number;
  #isDrawn = false;

  constructor(options: ProgressOptions, output: ProgressOutput = systemOutput()) {
    this.#options = options;
    this.#output = output;
    this.#total = options.total;
    this.#startedAt = output.now();
    // The first output comes after the quiet time, or at its usual time if that is later.
    this.#toldAt = this.#startedAt + Math.max(0, (options.quietMs ?? 0) - this.#pauseMs);
  }

  get #pauseMs(): number {
    return this.#output.isTerminal ? redrawMs : lineMs;
  }

  add(count: number): void {
    this.set(this.#done + count);
  }

  /** Sets the number that is done. The total may become known or change. A total that is exceeded is dropped. */
  set(done: number, total = this.#total): void {
    this.#done = done;
    this.#total = total !== undefined && done > total ? undefined : total;
    const now = this.#output.now();
    if (now - this.#toldAt < this.#pauseMs) return;
    this.#toldAt = now;
    if (this.#output.isTerminal) this.#draw(now);
    else this.#output.write(`${this.#sentence(now)}\n`);
  }

  /** Does what `set` does, for work in several tasks, each with its own rate. */
  readonly follow = (task: string, unit: string, done: number, total: number): void => {
    if (task !== this.#options.task) {
      this.#options = { task, unit };
      this.#startedAt = this.#output.now();
    }
    this.set(done, total);
  };

  end(): void {
    if (this.#isDrawn) this.#output.write(clearLine);
    this.#isDrawn = false;
  }

  #draw(now: number): void {
    const { hasColour, columns } = this.#output;
    const text = this.#sentence(now);
    const bar = this.#bar(Math.min(barWidthMax, columns - text.length - 4));
    const painted = hasColour ? `\x1b[36m${bar}\x1b[0m` : bar;
    this.#output.write(
      `${clearLine}${bar === undefined ? text.slice(0, Math.max(0, columns - 1)) : `${painted} ${text}`}`,
    );
    this.#isDrawn = true;
  }

  #bar(width: number): string | undefined {
    if (this.#total === undefined || width < barWidthMin) return undefined;
    const filled = Math.round(width * this.#share(this.#total));
    return `[${"#".repeat(filled)}${"-".repeat(width - filled)}]`;
  }

  /** Returns a text such as `backing up: 42 %, 12.3 of 29.1 MB, 8.1 MB/s, 3 s left`. */
  #sentence(now: number): string {
    const { task, unit } = this.#options;
    const seconds = (now - this.#startedAt) / 1000;
    const rate = seconds > 0 ? this.#done / seconds : 0;
    const parts: string[] = [];
    // The unit is named once, except for bytes, which have several units.
    const short = (count: number) => (unit === "bytes" ? amountOf(count, unit) : amountOf(count, "").trimEnd());
    if (this.#total === undefined) parts.push(amountOf(this.#done, unit));
    else {
      parts.push(`${Math.floor(100 * this.#share(this.#total))} %`);
      parts.push(`${short(this.#done)} of ${amountOf(this.#total, unit)}`);
    }
    if (rate > 0) parts.push(`${short(rate)}/s`);
    const left = this.#total === undefined || rate === 0 ? undefined : Math.max(0, this.#total - this.#done) / rate;
    if (left !== undefined) parts.push(`${durationOf(left)} left`);
    return `${task}: ${parts.join(", ")}`;
  }

  #share(total: number): number {
    return total <= 0 ? 1 : Math.min(1, this.#done / total);
  }
}

/** Returns a text such as `1.2 MB` or `1,204 documents`. */
export function amountOf(count: number, unit: string): string {
  if (unit !== "bytes") return `${Math.round(count).toLocaleString("en-US")} ${unit}`;
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  const step = count < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(count) / 3));
  return `${step === 0 ? Math.round(count) : (count / 1000 ** step).toFixed(1)} ${units[step]}`;
}

/** Returns a text such as `4 s`, `3 min 20 s` or `2 h 5 min`. */
export function durationOf(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** Returns the progress bar for opening a store. It shows nothing for the usual short time. */
export function openingProgress(write?: (text: string) => void): Progress {
  return new Progress({ task: "reading the store", unit: "files", quietMs: 1_000 }, systemOutput(write));
}

/** Returns stderr as output, or `write` if given. */
function systemOutput(write?: (text: string) => void): ProgressOutput {
  const isTerminal = isTty(stderr);
  const writeNow = isTerminal
    ? (text: string) => void process.stderr.write(text)
    : (text: string) => printMessage(text.replace(/\n$/, ""));
  return {
    isTerminal,
    hasColour: isTerminal && wantsColour(stderr),
    // Computed only for a bar, since the object of the terminal is slow to create.
    get columns() {
      return isTerminal ? process.stderr.columns || 80 : 80;
    },
    write: write ?? writeNow,
    now: () => performance.now(),
  };
}
