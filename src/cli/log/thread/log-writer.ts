import { countLines, type LogCounters } from "./counters.ts";

/** Side effects of the writer; tests bring their own. */
export interface WriterTools {
  /** Writes a part of the bytes and returns its length. Throws as `writeSync` does; may hold the thread. */
  write(bytes: Uint8Array): number;
  /** Calls back later. */
  later(action: () => void): void;
  /** The line that tells of lines which were dropped. */
  noticeOf(dropped: number): string;
}

interface Piece {
  readonly text: string;
  readonly dropped: number;
}

const lineFeed = 10;

/**
 * Writes lines in their order to their destination. A slow destination delays this thread alone. Lines that cannot be
 * written, since the disk is full or the reader is gone, are dropped and counted, and the count is written before the
 * next line.
 */
export class LogWriter {
  readonly #tools: WriterTools;
  readonly #counters: LogCounters;
  readonly #waiting: Piece[] = [];
  /** The write under way: its text, and the bytes that are left. */
  #piece: Piece | undefined;
  #rest: Uint8Array = new Uint8Array();
  #isPlanned = false;
  /** Lines that were dropped and not reported yet. */
  #untold = 0;
  /** The last byte that was taken ended no line. */
  #isInLine = false;

  constructor(counters: LogCounters, tools: WriterTools) {
    this.#counters = counters;
    this.#tools = tools;
  }

  /** Takes whole lines, which were counted as waiting. */
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

  /** False when there is nothing to write. */
  #next(): boolean {
    if (this.#piece !== undefined) return true;
    this.#piece = this.#waiting.shift();
    if (this.#piece === undefined) return false;
    this.#untold += this.#piece.dropped;
    const notice = this.#untold === 0 ? "" : this.#tools.noticeOf(this.#untold);
    this.#rest = Buffer.from(`${this.#isInLine ? "\n" : ""}${notice}${this.#piece.text}`);
    return true;
  }

  /** False when the output takes nothing now. */
  #writePiece(): boolean {
    try {
      while (this.#rest.length > 0) {
        const count = this.#tools.write(this.#rest);
        this.#isInLine = this.#rest[count - 1] !== lineFeed;
        this.#rest = this.#rest.subarray(count);
      }
      this.#untold = 0;
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error;
      if (error.code === "EAGAIN") return false;
      const lost = countLines(this.#piece?.text ?? "");
      this.#untold += lost;
      this.#counters.drop(lost);
    }
    this.#counters.settle(this.#piece?.text.length ?? 0);
    this.#piece = undefined;
    return true;
  }
}
