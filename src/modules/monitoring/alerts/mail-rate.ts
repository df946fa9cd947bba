/** The rate limit of mails about alerts. */

import { WindowCounter } from "../../../domain/window-counter.ts";
import type { Context } from "../../kernel/context.ts";
import { serviceKey } from "../../kernel/service.ts";

const mailsPerHour = 1000;
const hourSeconds = 3600;

/** Counts the mails about alerts of each project in hours of the clock, in memory. Mails that are rolled back count too. */
export class AlertMailLimiter {
  readonly #counter: WindowCounter;
  readonly #log: Context["log"];

  constructor({ clock, log }: Pick<Context, "clock" | "log">) {
    this.#counter = new WindowCounter(clock);
    this.#log = log;
  }

  /** Counts one mail, and returns whether it may be written. The first that may not logs a warning. */
  take(projectId: number): boolean {
    const { observed, remainingSeconds } = this.#counter.count(String(projectId), hourSeconds);
    if (observed === mailsPerHour + 1) {
      const fields = { project: projectId, limit: mailsPerHour, seconds: remainingSeconds };
      this.#log.warn(fields, "a project's alerts cause too many mails; no more are written in this hour");
    }
    return observed <= mailsPerHour;
  }
}

/** Limits the mails that the alerts of a project cause. */
export const AlertMailRate = serviceKey("alert-mail-rate", (context) => new AlertMailLimiter(context));
