import type { CopyOrder, CopyReport } from "./orders.ts";

/** Copies repositories in a worker, which starts with the first copy and ends with the last. */
export class Copier {
  readonly #url: URL;
  readonly #waiting = new Map<number, PromiseWithResolvers<void>>();
  #worker: Worker | undefined;
  #lastId = 0;

  /** `url` is that of `worker.ts`: in the executable, only its entry point knows the paths of files. */
  constructor(url: URL) {
    this.#url = url;
  }

  /**
   * Resolves when the copy is verified and durable. Throws what went wrong, and at once when `signal` is aborted: then the
   * thread ends at the next occasion, and the next copy to the same place removes what it left.
   */
  async copy(source: string, destination: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.#lastId += 1;
    const id = this.#lastId;
    const result = Promise.withResolvers<void>();
    this.#waiting.set(id, result);
    const abort = () => this.#end(signal.reason);
    signal.addEventListener("abort", abort);
    try {
      this.#worker ??= this.#start();
      this.#worker.postMessage({ id, source, destination } satisfies CopyOrder);
      await result.promise;
    } finally {
      signal.removeEventListener("abort", abort);
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) this.#end(undefined);
    }
  }

  #start(): Worker {
    const worker = new Worker(this.#url);
    worker.onmessage = ({ data }: MessageEvent<CopyReport>) => {
      const result = this.#waiting.get(data.id);
      if (data.error === null) result?.resolve();
      else result?.reject(new Error(data.error));
    };
    worker.onerror = (event) => this.#end(new Error(`the copying thread failed: ${event.message}`));
    return worker;
  }

  #end(reason: unknown): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    for (const result of this.#waiting.values()) result.reject(reason);
  }
}
