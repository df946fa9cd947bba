import { createWriteStream, type WriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { version } from "../../package.json" with { type: "json" };
import { StartError } from "../domain/start-error.ts";
import type { Log } from "../lib/log.ts";
import { shellWord } from "../lib/text/shell-word.ts";
import { type Exchange, harEntry, harHead, harTail } from "../modules/sandbox/requests/index.ts";

/** Bytes that wait for the disk; what comes beyond them is left out. */
const pendingBytesMax = 16 << 20;

/**
 * Writes exchanges to an HTTP Archive as they come (`--record`). After a kill the file lacks its end: it can be read up to the
 * last whole entry. The disk holds no request up.
 */
export class HarRecorder {
  readonly #file: WriteStream;
  readonly #log: Log;
  readonly #path: string;
  #separator = "";
  #left = 0;
  #error: Error | undefined;

  private constructor(file: WriteStream, path: string, log: Log) {
    this.#file = file;
    this.#path = path;
    this.#log = log;
    file.on("error", (error) => this.#fail(error));
    file.write(harHead(version));
  }

  /** Replaces what the file has. Throws `StartError` if it cannot be written. */
  static async open(path: string, log: Log): Promise<HarRecorder> {
    const file = createWriteStream(path, { mode: 0o600 });
    await new Promise((resolve, reject) => file.once("open", resolve).once("error", reject)).catch((error: unknown) => {
      throw new StartError(`the recording ${path} cannot be written: ${error}`, `touch ${shellWord(path)}`);
    });
    return new HarRecorder(file, path, log);
  }

  add(exchange: Exchange): void {
    if (this.#error !== undefined || this.#file.writableLength > pendingBytesMax) {
      this.#left += 1;
      return;
    }
    this.#file.write(`${this.#separator}${harEntry(exchange)}`);
    this.#separator = ",\n";
  }

  /** Ends the file. */
  async close(): Promise<void> {
    if (this.#error === undefined) {
      this.#file.end(harTail);
      await finished(this.#file).catch((error: Error) => this.#fail(error));
    }
    const fields = { file: this.#path, requests: this.#left };
    if (this.#left > 0) this.#log.warn(fields, "the recording lacks requests: the disk was too slow or full");
  }

  #fail(error: Error): void {
    if (this.#error === undefined) {
      this.#log.error({ file: this.#path, error: String(error) }, "the recording ends: its file cannot be written");
    }
    this.#error = error;
  }
}
