import type { Randomness } from "../domain/randomness.ts";
import { respondJson } from "./answers.ts";

/** Answers while the store is being opened: the process lives, and takes requests before long. */
export class StartingFront {
  readonly #randomness: Pick<Randomness, "uuid">;

  constructor(randomness: Pick<Randomness, "uuid">) {
    this.#randomness = randomness;
  }

  readonly fetch = (request: Request): Response => {
    const exchange = {
      ...{ request, requestId: this.#randomness.uuid(), startedAt: performance.now(), isOpenToOrigins: false },
      ...{ path: "", search: "", baseUrl: "", ipAddress: () => null },
      ...{ gone: () => request.signal, hold: () => {} },
      ...{ route: undefined, userId: undefined, basicRealm: undefined },
    };
    if (/^(https?:\/\/[^/]*)?\/-\/liveness(\?|$)/.test(request.url))
      return respondJson(exchange, 200, { status: "ok" });
    const message = "503 Service Unavailable - starting";
    return respondJson(exchange, 503, { message, reasons: ["starting"] }, { "Retry-After": "1" });
  };
}
