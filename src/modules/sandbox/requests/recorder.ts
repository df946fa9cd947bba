/** Writes exchanges to an HTTP Archive as they come (`--record`). */

import { createWriteStream, type WriteStream } from "node:fs";
import { version } from "../../../../package.json" with { type: "json" };
import { StartError } from "../../../domain/start-error.ts";
import type { Log } from "../../../lib/log.ts";
import { shellWord } from "../../../lib/text/shell-word.ts";
import type { Context } from "../../kernel/context.ts";
import { serviceKey } from "../../kernel/service.ts";
import { type Exchange, Exchanges } from "./exchanges.ts";
import { harEntry, harHead, harTail } from "./har.ts";

/** Bytes that wait for the disk; what comes beyond them is left out. */
const pendingBytesMax = 16 << 20;

/** After a kill the file lacks its end: it can be read up to the last whole entry. The disk holds no request up. */
class HarRecorder {
  readonly #log: Log;
  readonly #path: string;
  #file: WriteStream | undefined;
  #separator = "";
  #left = 0;
  #error: Error | undefined;

  constructor(path: string, log: Log) {
    this.#path = path;
    this.#log = log;
  }

  /** Replaces what the file has. Throws `StartError` if it cannot be written. */
  async start(): Promise<void> {
    const path = this.#path;
    const file = createWriteStream(path, { mode: 0o600 });
    await new Promise((resolve, reject) => file.once("open", resolve).once("error", reject)).catch((error: unknown) => {
      throw new StartError(`the recording ${path} cannot be written: ${error}`, `touch ${shellWord(path)}`);
    });
    file.on("error", (error) => this.#fail(error));
    file.write(harHead(version));
    this.#file = file;
  }

  add(exchange: Exchange): void {
    if (this.#file === undefined || this.#error !== undefined || this.#file.writableLength > pendingBytesMax) {
      this.#left += 1;
      return;
    }
    this.#file.write(`${this.#separator}${harEntry(exchange)}`);
    this.#separator = ",\n";
  }

  /** Ends the file. */
  async close(): Promise<void> {
    const file = this.#file;
    if (file !== undefined && this.#error === undefined) {
      const closed = new Promise((resolve) => file.once("close", resolve));
      file.end(harTail);
      // An error closes it, too.
      await closed;
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

/** undefined where no requests are recorded. */
export const Recorder = serviceKey("recorder", ({ sandbox, log }) =>
  sandbox?.recording === undefined ? undefined : new HarRecorder(sandbox.recording, log),
);

/** Throws `StartError` if the file cannot be written. */
export async function startRecording(context: Context): Promise<void> {
  const recorder = context.get(Recorder);
  if (recorder === undefined) return;
  await recorder.start();
  context.get(Exchanges).follow((exchange) => recorder.add(exchange));
}
