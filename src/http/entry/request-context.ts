import type { Server } from "bun";
import type { Clock } from "../../domain/clock.ts";
import type { FailureBody } from "../../domain/failure.ts";
import { WorkBudget } from "../../domain/work-budget.ts";
import type { Log } from "../../lib/log.ts";
import type { Context, SandboxClock } from "../../modules/kernel/context.ts";
import type { ErrorFormat, Operation } from "../../modules/kernel/operation.ts";
import type { Load } from "../../modules/kernel/request-load.ts";
import { heldConnections } from "../limits/held-connections.ts";
import type { Sender } from "../limits/sender.ts";
import type { Turns } from "../limits/turns.ts";

/** What a request context needs of the request that arrived, and of the server. */
export interface ArrivedRequest {
  readonly request: Request;
  readonly requestId: string;
  readonly startedAt: number;
  readonly baseUrl: string;
  readonly isOpenToOrigins: boolean;
  /** The client's address as a trusted proxy names it; undefined without such a proxy. */
  readonly forwardedAddress: string | null | undefined;
  readonly server: Server<undefined>;
  readonly load: Load;
  readonly turns: Turns;
  /** Turns for the slices of long searches. */
  readonly slices: Turns;
  /** Names the sender in whose line the request waits for a turn. */
  readonly turnOwnerOf: (requestContext: RequestContext) => string;
  readonly context: Pick<Context, "log" | "clock" | "sandbox">;
}

/** The state of one request: its parsed target, the limits that count it, and the fields of its log line. */
export class RequestContext {
  /** The request with its cleaned target. */
  request: Request;
  /** Cleaned and percent-encoded. */
  path = "";
  /** The query without the `?`. */
  search = "";
  readonly requestId: string;
  /** A reading of `performance.now()`. */
  readonly startedAt: number;
  /** Base of every URL in the answer, without a trailing slash. */
  readonly baseUrl: string;
  /** The clock of a sandbox; undefined for an ordinary server. */
  readonly sandboxClock: SandboxClock | undefined;
  /** Whether pages of other origins may read the answer. */
  readonly isOpenToOrigins: boolean;
  readonly log: Log;
  readonly clock: Clock;
  /** The work budget of the request. */
  readonly work = new WorkBudget();
  /** Pattern of the operation, once it is known. */
  route: string | undefined = undefined;
  userId: number | undefined = undefined;
  /** The sender of the body; undefined without a body. */
  sender: Sender | undefined = undefined;
  /** Ends what was held for the handler, such as the place of the body's bytes. */
  onAnswered: (() => void) | undefined = undefined;
  /** The realm that the operation asks anonymous callers for Basic credentials with. */
  basicRealm: string | undefined = undefined;
  /** The form of the operation's errors. */
  errorFormat: ErrorFormat | undefined = undefined;
  /** Names of the parameters of the body; undefined without such a body. */
  bodyNames: readonly string[] | undefined = undefined;
  /** The body of an error answer. */
  refusal: FailureBody | undefined = undefined;
  /** Bytes of the body of the answer; undefined: a stream. */
  responseBytes: number | undefined = undefined;
  readonly #arrived: ArrivedRequest;

  constructor(arrived: ArrivedRequest) {
    const { sandbox, clock, log } = arrived.context;
    this.#arrived = arrived;
    this.work.nextTurn = () => arrived.slices.next(() => arrived.turnOwnerOf(this));
    this.request = arrived.request;
    this.requestId = arrived.requestId;
    this.startedAt = arrived.startedAt;
    this.baseUrl = arrived.baseUrl;
    this.sandboxClock = sandbox?.clock;
    this.isOpenToOrigins = arrived.isOpenToOrigins;
    this.log = log;
    this.clock = sandbox?.clock.real ?? clock;
  }

  /** The state of a call that the server makes for this request, with its credentials. `request` has the target. */
  forCall(request: Request, path: string, search: string): RequestContext {
    const call = new RequestContext(this.#arrived);
    call.request = request;
    call.path = path;
    call.search = search;
    attachRequestContext(request, call);
    return call;
  }

  /** Notes the operation that the request is for. */
  enter({ path, basicRealm, errorFormat }: Pick<Operation, "path" | "basicRealm" | "errorFormat">): void {
    this.route = path;
    this.basicRealm = basicRealm;
    this.errorFormat = errorFormat;
  }

  /** The load of the server. */
  get load(): Load {
    return this.#arrived.load;
  }

  /** Address of the client, asked for only when something records it. */
  ipAddress(): string | null {
    const { forwardedAddress, server, request } = this.#arrived;
    return forwardedAddress === undefined ? (server.requestIP(request)?.address ?? null) : forwardedAddress;
  }

  /** Aborted when the client is gone before its answer. */
  gone(): AbortSignal {
    return this.#arrived.request.signal;
  }

  /** The connection may be silent for so many seconds, beyond what all may. */
  hold(seconds: number): void {
    const { server, request } = this.#arrived;
    server.timeout(request, seconds);
    const peer = server.requestIP(request);
    if (peer !== null) heldConnections.hold(peer, seconds);
  }

  /** Does work of the request now, or in a later turn of the event loop when this one is full. */
  inTurn<R>(work: () => R | Promise<R>): R | Promise<R> {
    return this.#arrived.turns.run(work, () => this.#arrived.turnOwnerOf(this));
  }

  /** Does a slice of a long search: one in a turn of the event loop, those of each sender in turn. */
  inSlice<R>(work: () => R | Promise<R>): R | Promise<R> {
    return this.#arrived.slices.run(work, () => this.#arrived.turnOwnerOf(this));
  }
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
