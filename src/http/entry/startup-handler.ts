import type { Randomness } from "../../lib/randomness.ts";
import { sandboxMark } from "../responses/sandbox-mark.ts";

/** Answers requests while the store is being opened. */
export class StartupHandler {
  readonly #randomness: Pick<Randomness, "uuid">;
  readonly #mark: Readonly<Record<string, string>>;

  constructor(randomness: Pick<Randomness, "uuid">, isSandbox: boolean) {
    this.#randomness = randomness;
    this.#mark = isSandbox ? sandboxMark : {};
  }

  readonly fetch = ({ url }: Request): Response => {
    if (/^(https?:\/\/[^/]*)?\/-\/liveness(\?|$)/.test(url)) return this.#answer(200, { status: "ok" }, {});
    const message = "503 Service Unavailable - starting";
    return this.#answer(503, { message, reasons: ["starting"] }, { "Retry-After": "1" });
  };

  #answer(status: number, body: object, more: Record<string, string>): Response {
    const headers = { "X-Request-Id": this.#randomness.uuid(), "Cache-Control": "no-cache", ...this.#mark, ...more };
    return new Response(JSON.stringify(body), { status, headers: { ...headers, "Content-Type": "application/json" } });
  }
}
