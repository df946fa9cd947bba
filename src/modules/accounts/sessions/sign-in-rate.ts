/** Limits on attempts to sign in. */

import type { Clock } from "../../../domain/clock.ts";
import { type RequestLimit, Throttled, WindowCounter } from "../../../domain/window-counter.ts";
import { networkOf } from "../../../lib/ip-address.ts";
import { serviceKey } from "../../kernel/service.ts";

/** Attempts with one login from one network: others cannot lock a user out. */
const perLogin: RequestLimit = { requests: 10, periodSeconds: 60 };
/** Attempts from one network, whatever they try. */
const perNetwork: RequestLimit = { requests: 60, periodSeconds: 60 };

/** Limits, in memory, the speed of guessing passwords. */
export class SignInRate {
  readonly #logins: WindowCounter;
  readonly #networks: WindowCounter;

  constructor(clock: Pick<Clock, "now">) {
    this.#logins = new WindowCounter(clock);
    this.#networks = new WindowCounter(clock);
  }

  /** Throws `Throttled` for an attempt beyond a limit; `login` is undefined where a token or a code is tried. */
  count(login: string | undefined, ipAddress: string | null): void {
    const network = ipAddress === null ? "" : networkOf(ipAddress);
    refuseBeyond(perNetwork, this.#networks, network);
    if (login !== undefined) refuseBeyond(perLogin, this.#logins, `${network} ${login.toLowerCase()}`);
  }
}

function refuseBeyond(limit: RequestLimit, counter: WindowCounter, key: string): void {
  const standing = counter.count(key, limit.periodSeconds);
  if (standing.observed > limit.requests) throw new Throttled(limit, standing);
}

export const SignIns = serviceKey("sign-ins", ({ clock }) => new SignInRate(clock));
