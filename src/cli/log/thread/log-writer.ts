import { countLines, type LogCounters } from "./counters.ts";

/** Side effects of the writer, which tests replace. */
export interface WriterTools {
  /** Writes a part of the bytes and returns its length. Throws the errors of `writeSync`, and may block the thread. */
  write(bytes: Uint8Array): number;
  /** Calls back later. */
  later(action: () => void): void;
  /** Returns the line about dropped lines. */
  noticeOf(dropped: number): string;
}

interface Piece {
  readonly text: string;
  readonly dropped: number;
}

const lineFeed = 10;

/**
 * Writes lines in order. A slow destination blocks only this thread. If lines cannot be written, since the disk is full or
 * the reader is gone, they are dropped and counted. The count is written before the next line.
 */
export class LogWriter {
  readonly #tools: WriterTools;
  readonly #counters: LogCounters;
  readonly #waiting: Piece[] = [];
  /** The current write: its text and remaining bytes. */
  #piece: Piece | undefined;
  #rest: Uint8Array = new Uint8Array();
  #isPlanned = false;
  /** Dropped lines that are not reported yet. */
  #unreported = 0;
  /** True when the last written byte did not end a line. */
  #isInLine = false;

  constructor(counters: LogCounters, tools: WriterTools) {
    this.#counters = counters;
    this.#tools = tools;
  }

  /** Queues whole lines, which are already counted as waiting. */
  take(piece: Piece): void {
    this.#waiting.push(piece);
    if (!this.#isPlanned) this.#writeAll();
  }

  #writeAll(): void {
    while (this.#next()) {
      if (this.#writePiece()) continue;
      this.#isPlanned = true;
      this.#tools.later(() => {
        this.#isPlanned = false;
        this.#writeAll();
      });
      return;
    }
  }

  /** Starts the next write. Returns false when there is nothing to write. */
  #next(): boolean {
    if (this.#piece !== undefined) return true;
    this.#piece = this.#waiting.shift();
    if (this.#piece === undefined) return false;
    this.#unreported += this.#piece.dropped;
    const notice = this.#unreported === 0 ? "" : this.#tools.noticeOf(this.#unreported);
    this.#rest = Buffer.from(`${this.#isInLine ? "\n" : ""}${notice}${this.#piece.text}`);
    return true;
  }

  /** Returns false when the output accepts nothing now. */
  #writePiece(): boolean {
    try {
      while (this.#rest.length > 0) {
        const count = this.#tools.write(this.#rest);
        this.#isInLine = this.#rest[count - 1] !== lineFeed;
        this.#rest = this.#rest.subarray(count);
      }
      this.#unreported = 0;
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error;
      if (error.code === "EAGAIN") return false;
      const lost = countLines(this.#piece?.text ?? "");
      this.#unreported += lost;
      this.#counters.drop(lost);
    }
    this.#counters.settle(this.#piece?.text.length ?? 0);
    this.#piece = undefined;
    return true;
  }
}
