import type { Clock } from "../../domain/clock.ts";
import type { WorkBudget } from "../../domain/work-budget.ts";
import type { Log } from "../../lib/log.ts";
import type { ErrorFormat } from "../../modules/kernel/operation.ts";
import type { Sender } from "../limits/sender.ts";

/** One request on its way through the house: what the front found out, and what the log line will say. */
export interface Exchange {
  readonly request: Request;
  readonly requestId: string;
  /** As `performance.now()`. */
  readonly startedAt: number;
  /** Cleaned and percent-encoded. */
  readonly path: string;
  /** Without the `?`. */
  readonly search: string;
  /** Base of every URL in the answer, without a trailing slash. */
  readonly baseUrl: string;
  /** Whether pages of other origins may read the answer. */
  readonly isOpenToOrigins: boolean;
  /** Peer address, asked for only when something records it. */
  readonly ipAddress: () => string | null;
  /** Aborted when the client is gone before its answer. */
  readonly gone: () => AbortSignal;
  /** The connection may be silent for so long, beyond what all may. */
  readonly hold: (seconds: number) => void;
  readonly log: Log;
  readonly clock: Clock;
  /** The work budget of the request. */
  readonly work: WorkBudget;
  /** Pattern of the operation, once it is known. */
  route: string | undefined;
  userId: number | undefined;
  /** The sender of the body; undefined without a body. */
  sender: Sender | undefined;
  /** Ends what was held for the handler, such as the place of the body's bytes. */
  onAnswered: (() => void) | undefined;
  /** Of the operation: who is nobody is asked for Basic credentials then. */
  basicRealm: string | undefined;
  /** Of the operation: how its errors look. */
  dialect: ErrorFormat | undefined;
}

const key = Symbol("exchange");

type Remembering = Request & { [key]?: Exchange };

/**
 * Elysia hands the same `Request` on to the handler, which finds here what the front knows. A property of the request:
 * a weak map of a hundred thousand requests a second is work for the collector.
 */
export function rememberExchange(request: Request, exchange: Exchange): void {
  (request as Remembering)[key] = exchange;
}

export function exchangeOf(request: Request): Exchange {
  const exchange = (request as Remembering)[key];
  if (exchange === undefined) throw new Error("a request came past the front");
  return exchange;
}
