import type { Clock } from "../domain/clock.ts";
import { withoutBodySecrets } from "../http/recording/redaction.ts";
import type { CallHttp } from "../lib/outgoing/http-call.ts";
import { withoutUserinfo } from "../lib/web-address.ts";
import type { SunkCall } from "../modules/kernel/context.ts";

/** The most recorded calls, and the most characters of each. */
const callsMax = 1_000;
const bodyLengthMax = 64 << 10;

const answer = { headers: [["Content-Type", "application/json"]], body: Buffer.from('{"success":true}') } as const;

/** Replaces third-party services (sandbox 5): records each call and answers 200. */
export class CallSink {
  readonly #clock: Pick<Clock, "now">;
  readonly #calls: SunkCall[] = [];
  #lastId = 0;

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  readonly call: CallHttp = ({ method, url, body = "" }) => {
    this.#lastId += 1;
    const text = typeof body === "string" ? body : Buffer.from(body).toString();
    this.#calls.push({
      id: this.#lastId,
      sentMs: this.#clock.now(),
      method,
      url: withoutUserinfo(url),
      body: withoutBodySecrets(text).slice(0, bodyLengthMax),
    });
    if (this.#calls.length > callsMax) this.#calls.shift();
    return Promise.resolve({ status: 200, ...answer, isCut: false });
  };

  newestFirst(): readonly SunkCall[] {
    return this.#calls.toReversed();
  }
}
