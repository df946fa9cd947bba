/** The bound of the notifications that wait, for each of those who cause them. */

import { WindowCounter } from "../../../domain/window-counter.ts";
import type { Context } from "../../kernel/context.ts";
import { serviceKey } from "../../kernel/service.ts";
import { countWaiting } from "../deliveries/index.ts";
import { mailKind } from "./sender.ts";

/** The notifications of one cause that wait: those of a busy user while the mail server is away for hours. */
export const unsentOfCauseMax = 5_000;

const hourSeconds = 3600;

/** Counts the mails that are dropped, in memory. Mails that are rolled back count too. */
export class UnsentLimiter {
  readonly #context: Pick<Context, "store" | "log">;
  readonly #counter: WindowCounter;
  #dropped = 0;

  constructor(context: Pick<Context, "clock" | "store" | "log">) {
    this.#context = context;
    this.#counter = new WindowCounter(context.clock);
  }

  /** Mails that were dropped since the start. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Returns false when too many notifications of the cause wait. Logs a warning once an hour for each cause. */
  admits(cause: string): boolean {
    const { store, log } = this.#context;
    const waiting = countWaiting(store, mailKind, "", "notification", cause);
    if (waiting < unsentOfCauseMax) return true;
    this.#dropped += 1;
    if (this.#counter.count(cause, hourSeconds).observed === 1) {
      log.warn({ cause, limit: unsentOfCauseMax }, "one cause has too many mails that wait; more of it are dropped");
    }
    return false;
  }
}

/** Bounds the notifications that wait. */
export const UnsentLimit = serviceKey("unsent-limit", (context) => new UnsentLimiter(context));
