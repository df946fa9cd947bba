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

/** The request and the parts of the server that a request context needs. */
export interface ArrivedRequest {
  readonly request: Request;
  readonly requestId: string;
  readonly startedAt: number;
  readonly baseUrl: string;
  readonly isOpenToOrigins: boolean;
  /** The client's address according to a trusted proxy; undefined without such a proxy. */
  readonly forwardedAddress: string | null | undefined;
  readonly server: Server<undefined>;
  readonly load: Load;
  readonly turns: Turns;
  /** Schedules the slices of long searches. */
  readonly slices: Turns;
  /** Returns the owner of the request, for scheduling. */
  readonly turnOwnerOf: (requestContext: RequestContext) => string;
  readonly context: Pick<Context, "log" | "clock" | "sandbox">;
}

/** The state of one request: its target, its limits, and the fields of its log line. */
export class RequestContext {
  /** The request with its normalised target. */
  request: Request;
  /** The normalised path, percent-encoded. */
  path = "";
  /** The query without the `?`. */
  search = "";
  readonly requestId: string;
  /** The arrival time, from `performance.now()`. */
  readonly startedAt: number;
  /** The base of every URL in the answer, without a trailing slash. */
  readonly baseUrl: string;
  /** The clock of a sandbox; undefined for an ordinary server. */
  readonly sandboxClock: SandboxClock | undefined;
  /** True when pages of other origins may read the answer. */
  readonly isOpenToOrigins: boolean;
  readonly log: Log;
  readonly clock: Clock;
  /** The work budget of the request. */
  readonly work = new WorkBudget();
  /** The path pattern of the operation, once it is known. */
  route: string | undefined = undefined;
  userId: number | undefined = undefined;
  /** The sender of the body; undefined without a body. */
  sender: Sender | undefined = undefined;
  /** Releases the resources of the handler, such as the memory of the body. */
  onAnswered: (() => void) | undefined = undefined;
  /** The realm for the operation's Basic authentication; undefined for none. */
  basicRealm: string | undefined = undefined;
  /** The format of the operation's errors. */
  errorFormat: ErrorFormat | undefined = undefined;
  /** The names of the body's parameters; undefined without such a body. */
  bodyNames: readonly string[] | undefined = undefined;
  /** The body of an error answer. */
  refusal: FailureBody | undefined = undefined;
  /** The size of the answer's body in bytes; undefined for a stream. */
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

  /**
   * Returns the context of a call that the server makes for this request, with its credentials. `request` has the target.
   */
  forCall(request: Request, path: string, search: string): RequestContext {
    const call = new RequestContext(this.#arrived);
    call.request = request;
    call.path = path;
    call.search = search;
    attachRequestContext(request, call);
    return call;
  }

  /** Notes the operation of the request. */
  enter({ path, basicRealm, errorFormat }: Pick<Operation, "path" | "basicRealm" | "errorFormat">): void {
    this.route = path;
    this.basicRealm = basicRealm;
    this.errorFormat = errorFormat;
  }

  /** The load of the server. */
  get load(): Load {
    return this.#arrived.load;
  }

  /** Returns the address of the client. Called only when something records it. */
  ipAddress(): string | null {
    const { forwardedAddress, server, request } = this.#arrived;
    return forwardedAddress === undefined ? (server.requestIP(request)?.address ?? null) : forwardedAddress;
  }

  /** Returns a signal that is aborted when the client disconnects. */
  gone(): AbortSignal {
    return this.#arrived.request.signal;
  }

  /** Allows the connection to be idle for this many seconds more. */
  hold(seconds: number): void {
    const { server, request } = this.#arrived;
    server.timeout(request, seconds);
    const peer = server.requestIP(request);
    if (peer !== null) heldConnections.hold(peer, seconds);
  }

  /** Runs work of the request now, or in a later turn of the event loop when this one is full. */
  inTurn<R>(work: () => R | Promise<R>): R | Promise<R> {
    return this.#arrived.turns.run(work, () => this.#arrived.turnOwnerOf(this));
  }

  /** Runs a slice of a long search: one per turn of the event loop, and the senders one after another. */
  inSlice<R>(work: () => R | Promise<R>): R | Promise<R> {
    return this.#arrived.slices.run(work, () => this.#arrived.turnOwnerOf(this));
  }
}

const key = Symbol("request context");

type RequestWithContext = Request & { [key]?: RequestContext };

/**
 * Attaches the context to the `Request`, which Elysia passes to the handler. It is a property, since a weak map of a hundred
 * thousand requests per second would burden the garbage collector.
 */
export function attachRequestContext(request: Request, requestContext: RequestContext): void {
  (request as RequestWithContext)[key] = requestContext;
}

export function requestContextOf(request: Request): RequestContext {
  const requestContext = (request as RequestWithContext)[key];
  if (requestContext === undefined) throw new Error("the request has no context");
  return requestContext;
}
