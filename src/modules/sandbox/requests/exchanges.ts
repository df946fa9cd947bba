/** The requests that a sandbox was asked, with its answers, in memory. */

import { serviceKey } from "../../kernel/service.ts";

/** What one side sent: headers and body, without secrets. */
export interface Message {
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  /** Bytes of the body; null: unknown, as for a body that nobody read to its end. */
  readonly size: number | null;
  /** The body as text, or in Base64 when it is none; null: there is none. */
  readonly body: string | null;
  readonly is_base64: boolean;
  /** The body goes on where this one ends. */
  readonly is_cut: boolean;
}

/** A request with its answer. */
export interface Exchange {
  /** Rises with each one since the start. */
  readonly id: number;
  /** By the clock of the sandbox, in milliseconds since 1970. */
  readonly startedMs: number;
  readonly durationMs: number;
  readonly method: string;
  readonly url: string;
  /** The path of the operation in the API reference; null: no operation has it. */
  readonly route: string | null;
  readonly status: number;
  /** Username of the caller. */
  readonly user: string | null;
  readonly requestId: string;
  readonly request: Message;
  readonly response: Message;
}

/** The most that is kept; the oldest go first. */
const countMax = 10_000;
const bytesMax = 64 << 20;
/** An exchange without its texts, or so. */
const ownBytes = 1_024;

/** The last exchanges. What follows them gets each as it is kept. */
export class ExchangeLog {
  #kept: Exchange[] = [];
  /** Index of the oldest one: those before it are gone. */
  #first = 0;
  #bytes = 0;
  #lastId = 0;
  readonly #followers: ((exchange: Exchange) => void)[] = [];

  add(exchange: Omit<Exchange, "id">): void {
    this.#lastId += 1;
    const kept = { id: this.#lastId, ...exchange };
    this.#kept.push(kept);
    this.#bytes += bytesOf(kept);
    while (this.#kept.length - this.#first > countMax || this.#bytes > bytesMax) this.#dropFirst();
    for (const follow of this.#followers) follow(kept);
  }

  /** Calls `follow` with every later exchange. */
  follow(follow: (exchange: Exchange) => void): void {
    this.#followers.push(follow);
  }

  /** Forgets all. */
  clear(): void {
    this.#kept = [];
    this.#first = 0;
    this.#bytes = 0;
  }

  /** The latest first. */
  *newestFirst(): Generator<Exchange, undefined> {
    const { length } = this.#kept;
    const kept = this.#kept;
    for (let at = length - 1; at >= this.#first; at -= 1) yield kept[at] as Exchange;
    return undefined;
  }

  #dropFirst(): void {
    this.#bytes -= bytesOf(this.#kept[this.#first] as Exchange);
    this.#first += 1;
    // Seldom, so that one costs as little as another.
    if (this.#first <= countMax) return;
    this.#kept = this.#kept.slice(this.#first);
    this.#first = 0;
  }
}

/** Memory of an exchange, roughly: most texts take a byte a character. */
function bytesOf({ url, request, response }: Exchange): number {
  const bytesOfMessage = ({ headers, body }: Message) =>
    headers.reduce((sum, { name, value }) => sum + name.length + value.length, body?.length ?? 0);
  return ownBytes + url.length + bytesOfMessage(request) + bytesOfMessage(response);
}

export const Exchanges = serviceKey("sandbox-requests", () => new ExchangeLog());
