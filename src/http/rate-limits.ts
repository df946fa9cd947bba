import type { Clock } from "../domain/clock.ts";
import { Failure } from "../domain/failure.ts";
import type { ApplicationSettings } from "../modules/application-settings/index.ts";
import { respond } from "./answers.ts";
import type { Exchange } from "./exchange.ts";

/** Where a caller stands in the current window. */
interface Standing {
  readonly observed: number;
  /** Seconds until the window ends, from 1 upwards. */
  readonly remainingSeconds: number;
}

/** Counts requests in fixed windows that begin with the clock: all counters of a window go at once when it ends. */
class WindowCounter {
  readonly #clock: Clock;
  #window = "";
  #counts = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  count(key: string, periodSeconds: number): Standing {
    const seconds = Math.floor(this.#clock.now() / 1000);
    const window = `${periodSeconds} ${Math.floor(seconds / periodSeconds)}`;
    if (window !== this.#window) {
      this.#window = window;
      this.#counts = new Map();
    }
    const observed = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, observed);
    return { observed, remainingSeconds: periodSeconds - (seconds % periodSeconds) };
  }
}

const endpointPeriodSeconds = 600;

/** The limits of rest-conventions 9, in memory: a restart begins anew. */
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

  /** Counts a request for its user, or else its address; the 429 answer once there are too many, else undefined. */
  throttle(exchange: Exchange, settings: ApplicationSettings, userId: number | undefined): Response | undefined {
    if (userId !== undefined) {
      if (!settings.throttle_authenticated_api_enabled) return undefined;
      return this.#refuse(exchange, settings, this.#authenticated, String(userId), {
        name: "throttle_authenticated_api",
        requests: settings.throttle_authenticated_api_requests_per_period,
        periodSeconds: settings.throttle_authenticated_api_period_in_seconds,
      });
    }
    if (!settings.throttle_unauthenticated_api_enabled) return undefined;
    return this.#refuse(exchange, settings, this.#unauthenticated, exchange.ipAddress() ?? "", {
      name: "throttle_unauthenticated_api",
      requests: settings.throttle_unauthenticated_api_requests_per_period,
      periodSeconds: settings.throttle_unauthenticated_api_period_in_seconds,
    });
  }

  /** A limit of one operation: `requests` of one user in ten minutes, 0 for none. Throws `too_many`. */
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
    exchange: Exchange,
    settings: ApplicationSettings,
    counter: WindowCounter,
    key: string,
    limit: { readonly name: string; readonly requests: number; readonly periodSeconds: number },
  ): Response | undefined {
    const { observed, remainingSeconds } = counter.count(key, limit.periodSeconds);
    if (observed <= limit.requests) return undefined;
    const resetSeconds = Math.floor(this.#clock.now() / 1000) + remainingSeconds;
    return respond(exchange, 429, `${settings.rate_limiting_response_text || "Retry later"}\n`, {
      "Content-Type": "text/plain",
      "RateLimit-Name": limit.name,
      "RateLimit-Limit": String(Math.ceil((limit.requests * 60) / limit.periodSeconds)),
      "RateLimit-Observed": String(observed),
      "RateLimit-Remaining": "0",
      "RateLimit-Reset": String(resetSeconds),
      "RateLimit-ResetTime": new Date(resetSeconds * 1000).toUTCString(),
      "Retry-After": String(remainingSeconds),
    });
  }
}
