import type { Clock } from "../../domain/clock.ts";
import type { FailureBody } from "../../domain/failure.ts";
import type { WorkBudget } from "../../domain/work-budget.ts";
import type { Log } from "../../lib/log.ts";
import type { SandboxClock } from "../../modules/kernel/context.ts";
import type { ErrorFormat } from "../../modules/kernel/operation.ts";
import type { Sender } from "../limits/sender.ts";

/** The state of one request: its parsed target, the limits that count it, and the fields of its log line. */
export interface RequestContext {
  readonly request: Request;
  readonly requestId: string;
  /** A reading of `performance.now()`. */
  readonly startedAt: number;
  /** Cleaned and percent-encoded. */
  readonly path: string;
  /** The query without the `?`. */
  readonly search: string;
  /** Base of every URL in the answer, without a trailing slash. */
  readonly baseUrl: string;
  /** The clock of a sandbox; undefined for an ordinary server. */
  readonly sandboxClock: SandboxClock | undefined;
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
  /** Does work of the request now, or in a later turn of the event loop when this one is full. */
  readonly inTurn: <R>(work: () => R | Promise<R>) => R | Promise<R>;
  /** Pattern of the operation, once it is known. */
  route: string | undefined;
  userId: number | undefined;
  /** The sender of the body; undefined without a body. */
  sender: Sender | undefined;
  /** Ends what was held for the handler, such as the place of the body's bytes. */
  onAnswered: (() => void) | undefined;
  /** The realm that the operation asks anonymous callers for Basic credentials with. */
  basicRealm: string | undefined;
  /** The form of the operation's errors. */
  errorFormat: ErrorFormat | undefined;
  /** Names of the parameters of the body; undefined without such a body. */
  bodyNames: readonly string[] | undefined;
  /** The body of an error answer. */
  refusal: FailureBody | undefined;
  /** Bytes of the body of the answer; undefined: a stream. */
  responseBytes: number | undefined;
}

const key = Symbol("request context");

type RequestWithContext = Request & { [key]?: RequestContext };

/**
 * Elysia passes the same `Request` on to the handler, which finds its context here. A property of the request:
 * a weak map of a hundred thousand requests a second is work for the collector.
 */
export function attachRequestContext(request: Request, requestContext: RequestContext): void {
  (request as RequestWithContext)[key] = requestContext;
}

export function requestContextOf(request: Request): RequestContext {
  const requestContext = (request as RequestWithContext)[key];
  if (requestContext === undefined) throw new Error("the request has no context");
  return requestContext;
}
