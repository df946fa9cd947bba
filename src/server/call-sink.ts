import type { Clock } from "../domain/clock.ts";
import { withoutFormSecrets } from "../http/recording/redaction.ts";
import type { CallOutside, SunkCall } from "../modules/kernel/context.ts";

/** The most that are kept, of at most so many characters each. */
const callsMax = 1_000;
const bodyLengthMax = 64 << 10;

/** Stands in for the services of others (sandbox 5): keeps each call and answers 200, as a service that is content. */
export class CallSink {
  readonly #clock: Pick<Clock, "now">;
  readonly #calls: SunkCall[] = [];
  #lastId = 0;

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  readonly call: CallOutside = (url, { body }) => {
    this.#lastId += 1;
    const text = withoutFormSecrets(body.toString()).slice(0, bodyLengthMax);
    this.#calls.push({ id: this.#lastId, sentMs: this.#clock.now(), method: "POST", url, body: text });
    if (this.#calls.length > callsMax) this.#calls.shift();
    return Promise.resolve(Response.json({ success: true }));
  };

  newestFirst(): readonly SunkCall[] {
    return this.#calls.toReversed();
  }
}
