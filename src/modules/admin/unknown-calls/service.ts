import type { Static } from "@sinclair/typebox";
import type { Clock } from "../../../domain/clock.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import { withoutTokens } from "../../../lib/text/path-secrets.ts";
import { serviceKey } from "../../kernel/service.ts";
import type { UnknownCall } from "./schema.ts";

type Call = Static<typeof UnknownCall>;

/** The most different calls that are remembered; the least recent one is dropped first. */
const callsMax = 500;

/** Counts requests that no operation answers, in memory since the start: what a client needs and does not find. */
export class UnknownCallCounts {
  readonly #clock: Pick<Clock, "now">;
  /** Calls by method and path, the latest last. */
  readonly #calls = new Map<string, Call>();

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  /** `path`: as the request has it, without the query. */
  note(method: string, path: string): void {
    const pattern = patternOf(path);
    const key = `${method} ${pattern}`;
    const now = toDateTime(this.#clock.now());
    const known = this.#calls.get(key) ?? { method, path: pattern, count: 0, first_at: now, last_at: now };
    this.#calls.delete(key);
    this.#calls.set(key, { ...known, count: known.count + 1, last_at: now });
    if (this.#calls.size > callsMax) this.#calls.delete(this.#calls.keys().next().value as string);
  }

  /** The most frequent first. */
  list(): Call[] {
    return [...this.#calls.values()].sort((one, other) => other.count - one.count);
  }
}

export const UnknownCalls = serviceKey("unknown-calls", ({ clock }) => new UnknownCallCounts(clock));

/** Calls about different things of one kind count together. */
function patternOf(path: string): string {
  const parts = path.split("/").map((part) => (/^\d+$|%2F/i.test(part) ? ":id" : part));
  return withoutTokens(parts.join("/"));
}
