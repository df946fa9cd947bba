import type { Clock } from "../../domain/clock.ts";
import { Failure } from "../../domain/failure.ts";
import { type LimitState, type RequestLimit, WindowCounter } from "../../domain/window-counter.ts";
import type { ApplicationSettings } from "../../modules/core/application-settings/index.ts";
import type { RequestContext } from "../entry/request-context.ts";
import { respond } from "../responses/responses.ts";

const endpointPeriodSeconds = 600;

/** The rate limits (rest-conventions 9), in memory. A restart resets them. */
export class RateLimits {
  readonly #clock: Clock;
  readonly #authenticated: WindowCounter;
  readonly #unauthenticated: WindowCounter;
  readonly #endpoints = new Map<string, WindowCounter>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#authenticated = new WindowCounter(clock);
    this.#unauthenticated = new WindowCounter(clock);
  }

  /** Counts a request for its user, or else its address. Returns the 429 answer once there are too many, else undefined. */
  throttle(
    requestContext: RequestContext,
    settings: ApplicationSettings,
    userId: number | undefined,
  ): Response | undefined {
    if (userId !== undefined) {
      if (!settings.throttle_authenticated_api_enabled) return undefined;
      return this.#refuse(requestContext, settings, this.#authenticated, String(userId), {
        name: "throttle_authenticated_api",
        requests: settings.throttle_authenticated_api_requests_per_period,
        periodSeconds: settings.throttle_authenticated_api_period_in_seconds,
      });
    }
    if (!settings.throttle_unauthenticated_api_enabled) return undefined;
    return this.#refuse(requestContext, settings, this.#unauthenticated, requestContext.ipAddress() ?? "", {
      name: "throttle_unauthenticated_api",
      requests: settings.throttle_unauthenticated_api_requests_per_period,
      periodSeconds: settings.throttle_unauthenticated_api_period_in_seconds,
    });
  }

  /**
   * Counts a request for an operation's own limit: `requests` per user in ten minutes, 0 for unlimited. Throws `too_many`.
   */
  limitEndpoint(name: string, userId: number, requests: number): void {
    if (requests === 0) return;
    const counter = this.#endpoints.get(name) ?? new WindowCounter(this.#clock);
    this.#endpoints.set(name, counter);
    const { observed, remainingSeconds } = counter.count(String(userId), endpointPeriodSeconds);
    if (observed <= requests) return;
    const body = { message: { error: "This endpoint has been requested too many times. Try again later." } };
    throw new Failure("too_many", body, { retryAfterSeconds: remainingSeconds });
  }

  #refuse(
    requestContext: RequestContext,
    settings: ApplicationSettings,
    counter: WindowCounter,
    key: string,
    limit: RequestLimit & { readonly name: string },
  ): Response | undefined {
    const state = counter.count(key, limit.periodSeconds);
    if (state.observed <= limit.requests) return undefined;
    return respond(requestContext, 429, `${settings.rate_limiting_response_text || "Retry later"}\n`, {
      ...limitHeaders(limit, state),
      "RateLimit-Name": limit.name,
      "RateLimit-Observed": String(state.observed),
      "RateLimit-ResetTime": new Date(state.resetSeconds * 1000).toUTCString(),
    });
  }
}

/** Returns the headers of an answer to a request beyond a limit. */
export function limitHeaders(limit: RequestLimit, state: LimitState): Record<string, string> {
  return {
    "Content-Type": "text/plain",
    "RateLimit-Limit": String(Math.ceil((limit.requests * 60) / limit.periodSeconds)),
    "RateLimit-Remaining": "0",
    "RateLimit-Reset": String(state.resetSeconds),
    "Retry-After": String(state.remainingSeconds),
  };
}
