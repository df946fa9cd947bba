import type { Server } from "bun";
import { unavailable } from "../../domain/failure.ts";
import { sliceMs } from "../../domain/text-scans.ts";
import { socketWord, type TrustedProxies } from "../../domain/trusted-proxies.ts";
import { basePathOf } from "../../lib/base-path.ts";
import { systemRandomness } from "../../lib/randomness.ts";
import { Features } from "../../modules/admin/feature-flags/index.ts";
import { notReady } from "../../modules/admin/health/index.ts";
import type { Context } from "../../modules/kernel/context.ts";
import type { OperationTable } from "../../modules/kernel/operation-table.ts";
import { type Load, overloaded, RequestLoad } from "../../modules/kernel/request-load.ts";
import { turnOwnerOf } from "../auth/turn-owner.ts";
import { RateLimits } from "../limits/rate-limits.ts";
import { Turns } from "../limits/turns.ts";
import type { RequestMetrics } from "../metrics/index.ts";
import { Recording } from "../recording/recording.ts";
import { answerFailure } from "../responses/failures.ts";
import { ResponseCache } from "../responses/response-cache.ts";
import { respondJson } from "../responses/responses.ts";
import type { MountFor } from "../web-addresses/ask.ts";
import type { Matcher } from "./matcher.ts";
import { performAgain, type RouterDependencies } from "./perform.ts";
import { forwardedOrigin, readForwarded } from "./proxies.ts";
import { attachRequestContext, RequestContext } from "./request-context.ts";
import { logRequest } from "./request-log.ts";
import { mountOperations } from "./router.ts";
import { cleanTarget, stripBasePath } from "./target.ts";

/** An address of API version 3 that single sign-on clients still use. */
const userOfVersion3 = "/api/v3/user";

export interface RequestHandlerOptions {
  readonly context: Context;
  /** A matcher without routes. */
  readonly matcher: Matcher;
  readonly operations: OperationTable;
  readonly externalUrl: string | undefined;
  readonly trustedProxies: TrustedProxies | undefined;
  readonly metrics: RequestMetrics;
  /** True when requests come as HTTPS. */
  readonly isSecure: boolean;
}

/** The index from which Elysia searches the path of an `https:` URL. A host of two letters ends before it. */
const pathSearchStart = 11;

/** Answers every request of the server. */
export interface HttpEntry {
  fetch(request: Request, server: Server<undefined>): Response | Promise<Response>;
  /** Makes new requests fail with 503. Current ones are finished. */
  drain(): void;
}

/** Normalises requests, lets Elysia match them, and logs one line per request. */
export function createRequestHandler(options: RequestHandlerOptions): HttpEntry {
  return new RequestHandler(options);
}

class RequestHandler implements HttpEntry {
  readonly #options: RequestHandlerOptions;
  readonly #mountFor: MountFor;
  readonly #dependencies: RouterDependencies;
  readonly #basePath: string;
  readonly #load: Load;
  readonly #turns = new Turns();
  readonly #slices = new Turns({ turnMsMax: sliceMs });
  readonly #turnOwnerOf: (requestContext: RequestContext) => string;
  #isDraining = false;
  #lastOrigin = "://";

  constructor(options: RequestHandlerOptions) {
    const { context, matcher, operations, externalUrl } = options;
    this.#options = options;
    this.#load = context.get(RequestLoad);
    this.#basePath = basePathOf(externalUrl);
    this.#turnOwnerOf = (requestContext) => turnOwnerOf(context, requestContext);
    this.#dependencies = {
      context,
      limits: new RateLimits(context.clock),
      pages: new ResponseCache(),
      otherMethods: new Map(),
    };
    this.#mountFor = mountOperations(matcher, operations, this.#dependencies);
  }

  fetch(received: Request, server: Server<undefined>): Response | Promise<Response> {
    const { context } = this.#options;
    const { sandbox } = context;
    if (sandbox === undefined) return this.#fetch(received, server);
    return sandbox.gate.run(() => this.#fetch(received, server, new Recording(context, sandbox, received)));
  }

  /** `recording` is present only in a sandbox. */
  #fetch(
    original: Request,
    server: Server<undefined>,
    recording?: Recording | undefined,
  ): Response | Promise<Response> {
    const received = recording?.request ?? original;
    const startedAt = performance.now();
    const { context, isSecure } = this.#options;
    const url = this.#absoluteUrl(received.url, server);
    const originEnd = url.indexOf("/", url.indexOf("://") + 3);
    const origin = url.slice(0, originEnd);
    const requestContext = this.#contextOf(original, server, origin, startedAt);
    try {
      const asked = stripBasePath(cleanTarget(url), this.#basePath);
      const isUserOfVersion3 =
        asked.path === userOfVersion3 && (received.method === "GET" || received.method === "HEAD");
      const target = isUserOfVersion3 ? { ...asked, path: "/api/v4/user" } : asked;
      const cleaned = target.search === "" ? target.path : `${target.path}?${target.search}`;
      const isTooShort = isSecure && originEnd < pathSearchStart;
      const isClean =
        target === asked && url.length === originEnd + cleaned.length && url === received.url && !isTooShort;
      const request = isClean ? received : new Request((isTooShort ? "https://localhost" : origin) + cleaned, received);
      requestContext.request = request;
      requestContext.path = target.path;
      requestContext.search = target.search;
      attachRequestContext(request, requestContext);
      const answer = this.#logged(
        requestContext,
        requestContext.inTurn(() => this.#answer(requestContext)),
      );
      return recording === undefined ? answer : this.#recorded(recording, requestContext, answer);
    } catch (error) {
      return this.#logged(requestContext, answerFailure(requestContext, context.log, error));
    }
  }

  drain(): void {
    this.#isDraining = true;
  }

  async #recorded(
    recording: Recording,
    requestContext: RequestContext,
    answer: Response | Promise<Response>,
  ): Promise<Response> {
    return recording.end(requestContext, await answer);
  }

  #contextOf(request: Request, server: Server<undefined>, origin: string, startedAt: number): RequestContext {
    const { context, externalUrl, trustedProxies } = this.#options;
    const forwarded =
      trustedProxies === undefined
        ? undefined
        : readForwarded(trustedProxies, peerOf(request, server), request.headers);
    return new RequestContext({
      request,
      // A read must not take a random number that a later request would get.
      requestId: (context.sandbox === undefined ? context.randomness : systemRandomness).uuid(),
      startedAt,
      baseUrl: externalUrl ?? (forwarded === undefined ? origin : forwardedOrigin(origin, forwarded)),
      isOpenToOrigins: context.get(Features).isEnabled("cross_origin_requests"),
      forwardedAddress: forwarded?.ipAddress,
      server,
      load: this.#load,
      turns: this.#turns,
      slices: this.#slices,
      turnOwnerOf: this.#turnOwnerOf,
      context,
    });
  }

  /** Returns the absolute URL. Caches the checked `Host`, which most requests share with the one before. */
  #absoluteUrl(url: string, server: Server<undefined>): string {
    if (url.startsWith(this.#lastOrigin) && url[this.#lastOrigin.length] === "/") return url;
    const absolute = absoluteUrl(url, server);
    if (absolute === url) this.#lastOrigin = url.slice(0, url.indexOf("/", url.indexOf("://") + 3));
    return absolute;
  }

  #answer(requestContext: RequestContext): Response | Promise<Response> {
    const { path } = requestContext;
    const { log } = this.#options.context;
    if (this.#isDraining && path !== "/-/liveness") {
      const isHealth = path === "/-/readiness" || path === "/-/health";
      return answerFailure(requestContext, log, isHealth ? notReady("stopping") : unavailable());
    }
    if (this.#load.isFull && !path.startsWith("/-/"))
      return closeUnread(answerFailure(requestContext, log, overloaded()));
    if (path === "/api/v3" || path.startsWith("/api/v3/")) {
      return respondJson(requestContext, 410, { error: "API V3 is no longer supported. Use API V4 instead." });
    }
    const again = performAgain(this.#dependencies, requestContext);
    if (again !== undefined) return again;
    const { matcher } = this.#options;
    const mounting = this.#mountFor(path);
    if (mounting === undefined) return matcher.fetch(matchable(requestContext));
    return mounting.then(() => matcher.fetch(matchable(requestContext)));
  }

  #logged(requestContext: RequestContext, answer: Response | Promise<Response>): Response | Promise<Response> {
    const { context, metrics } = this.#options;
    if (answer instanceof Promise) {
      this.#load.enter();
      const logged = (response: Response) => {
        requestContext.onAnswered?.();
        this.#load.leave();
        logRequest(context, metrics, requestContext, response);
        return response;
      };
      return answer.then(logged, (error: unknown) => logged(answerFailure(requestContext, context.log, error)));
    }
    logRequest(context, metrics, requestContext, answer);
    return answer;
  }
}

/**
 * Returns the request for Elysia. It would read the whole answer of a HEAD for its length, which the runtime knows already.
 */
function matchable(requestContext: RequestContext): Request {
  const { request } = requestContext;
  if (request.method !== "HEAD") return request;
  const get = new Request(request.url);
  attachRequestContext(get, requestContext);
  return get;
}

/** Closes the connection, since the body was not read. */
function closeUnread(response: Response): Response {
  response.headers.set("Connection", "close");
  return response;
}

/** Returns the absolute URL. The server's own name replaces a missing or invalid `Host`. */
function absoluteUrl(url: string, server: Server<undefined>): string {
  if (/^https?:\/\/([\w.-]+|\[[\da-f:.]+\])(:\d+)?\//i.test(url) && URL.canParse(url)) return url;
  // Without a valid host, Bun's URL is only the path.
  const pathStart = url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf("://") + 3);
  // A socket file has no host name.
  const origin = server.port === undefined ? "http://localhost" : server.url.origin;
  return `${origin}${url.slice(pathStart)}`;
}

function peerOf(request: Request, server: Server<undefined>): string | null {
  return server.port === undefined ? socketWord : (server.requestIP(request)?.address ?? null);
}
