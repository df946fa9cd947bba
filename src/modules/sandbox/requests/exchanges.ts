/** The requests that a sandbox was asked, with its answers, in memory. */

import { serviceKey } from "../../kernel/service.ts";

/** The headers and body that one side sent, without secrets. */
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
  /** A call of the console, or below `/-/`. */
  readonly isInternal: boolean;
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
const limits = { countMax: 10_000, bytesMax: 64 << 20 };
/** Internal calls, apart: the console asks so often that they would displace all others. */
const internalLimits = { countMax: 1_000, bytesMax: 8 << 20 };
/** An exchange without its texts, or so. */
const ownBytes = 1_024;

/** The last exchanges within limits. */
class ExchangeRing {
  readonly #limits: typeof limits;
  #kept: Exchange[] = [];
  /** Index of the oldest one: those before it are gone. */
  #first = 0;
  #bytes = 0;

  constructor(limitsOfRing: typeof limits) {
    this.#limits = limitsOfRing;
  }

  add(exchange: Exchange): void {
    const { countMax, bytesMax } = this.#limits;
    this.#kept.push(exchange);
    this.#bytes += bytesOf(exchange);
    while (this.#kept.length - this.#first > countMax || this.#bytes > bytesMax) this.#dropFirst();
  }

  newestFirst(): Exchange[] {
    return this.#kept.slice(this.#first).reverse();
  }

  #dropFirst(): void {
    this.#bytes -= bytesOf(this.#kept[this.#first] as Exchange);
    this.#first += 1;
    // Seldom, so that one costs as little as another.
    if (this.#first <= this.#limits.countMax) return;
    this.#kept = this.#kept.slice(this.#first);
    this.#first = 0;
  }
}

/** The last exchanges. What follows them gets each as it is kept, but for internal ones. */
export class ExchangeLog {
  #calls = new ExchangeRing(limits);
  #internal = new ExchangeRing(internalLimits);
  #lastId = 0;
  readonly #followers: ((exchange: Exchange) => void)[] = [];

  add(exchange: Omit<Exchange, "id">): void {
    this.#lastId += 1;
    const kept = { id: this.#lastId, ...exchange };
    (kept.isInternal ? this.#internal : this.#calls).add(kept);
    if (kept.isInternal) return;
    for (const follow of this.#followers) follow(kept);
  }

  /** Calls `follow` with every later exchange. */
  follow(follow: (exchange: Exchange) => void): void {
    this.#followers.push(follow);
  }

  /** Forgets all. */
  clear(): void {
    this.#calls = new ExchangeRing(limits);
    this.#internal = new ExchangeRing(internalLimits);
  }

  /** The latest first. */
  newestFirst({ withInternal }: { readonly withInternal: boolean }): readonly Exchange[] {
    const calls = this.#calls.newestFirst();
    if (!withInternal) return calls;
    return [...calls, ...this.#internal.newestFirst()].sort((one, other) => other.id - one.id);
  }
}

/** Memory of an exchange, roughly: most texts take a byte a character. */
function bytesOf({ url, request, response }: Exchange): number {
  const bytesOfMessage = ({ headers, body }: Message) =>
    headers.reduce((sum, { name, value }) => sum + name.length + value.length, body?.length ?? 0);
  return ownBytes + url.length + bytesOfMessage(request) + bytesOfMessage(response);
}

export const Exchanges = serviceKey("sandbox-requests", () => new ExchangeLog());
