/** The sender of queued mails. */

import type { Clock } from "../../../domain/clock.ts";
import { withoutBudget } from "../../../domain/work-budget.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import type { Log } from "../../../lib/log.ts";
import type { Store } from "../../../store/index.ts";
import { serviceKey } from "../../kernel/service.ts";
import {
  type MailReader,
  type MailRecord,
  mailDeliveries,
  mails,
  type UnsentMailRecord,
  unsentMails,
} from "./records.ts";
import { MailRefused, type MailTransport, smtpTransport } from "./smtp.ts";
import { MailTurns } from "./turns.ts";

const firstDelayMs = 60_000;
const delayMsMax = 4 * 3_600_000;
/** The attempts of about two days. */
const attemptsMax = 20;
/** The pause before the next mail when no mail gets through. */
const pauseMs = 30_000;
/** A stop waits this long for the mail that is on its way; what is cut off is sent again after the next start. */
const stopGraceMs = 2_500;

interface MailSenderOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly transport: MailTransport;
}

/**
 * Sends what `enqueueMail` wrote, one mail after the other (`MailTurns`), once it is on disk. A mail is sent at least once: a server
 * that takes one as the process dies gets it again. Refused ones are tried again, ever more rarely.
 */
class MailSender {
  readonly #options: MailSenderOptions;
  #state: "waiting for its start" | "started" | "stopped" = "waiting for its start";
  #work: Promise<void> | undefined;
  #cancelAlarm: (() => void) | undefined;
  #pausedUntil = 0;
  readonly #turns: MailTurns;
  #mayRead: (reader: MailReader) => boolean = () => true;

  constructor(options: MailSenderOptions) {
    this.#options = options;
    this.#turns = new MailTurns(options.store);
  }

  /** Sends what an earlier process left, and from now on what comes, to users who may still read it when it is sent. */
  start(mayRead: (reader: MailReader) => boolean): void {
    this.#state = "started";
    this.#mayRead = mayRead;
    this.wake();
  }

  /** A mail may have come. May be called in its transaction. */
  wake(): void {
    if (this.#state !== "started" || this.#work !== undefined) return;
    this.#cancelAlarm?.();
    this.#work = withoutBudget(() => this.#sendAll());
  }

  async stop(): Promise<void> {
    this.#state = "stopped";
    this.#cancelAlarm?.();
    if (this.#work === undefined) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const cutOff = setTimeout(resolve, stopGraceMs);
    await Promise.race([this.#work, promise]);
    clearTimeout(cutOff);
  }

  /** Never rejects: the log is the only place for the error. */
  async #sendAll(): Promise<void> {
    try {
      // The transaction that called is not over yet.
      await Promise.resolve();
      for (let mail = this.#next(); mail !== undefined; mail = this.#next()) {
        await this.#options.store.settled();
        await this.#send(mail);
      }
    } catch (error) {
      this.#pause();
      this.#options.log.error({ error: String(error) }, "mails could not be sent or noted as sent");
    } finally {
      this.#work = undefined;
      this.#lookAgainLater();
    }
  }

  #next(): UnsentMailRecord | undefined {
    const now = this.#options.clock.now();
    if (this.#state !== "started" || now < this.#pausedUntil) return undefined;
    const first = this.#first();
    return first !== undefined && Date.parse(first.due_at) <= now ? this.#turns.next(toDateTime(now)) : undefined;
  }

  /** The mail that is due first. */
  #first(): UnsentMailRecord | undefined {
    const waiting = this.#options.store.of(unsentMails);
    const [id] = waiting.by.due_at.slice(0, 1, false);
    return id === undefined ? undefined : waiting.get(id);
  }

  async #send(unsent: UnsentMailRecord): Promise<void> {
    const { store, transport } = this.#options;
    const mail = store.logOf(mails).get(unsent.id);
    if (mail === undefined) throw new Error(`mail ${unsent.id} is to be sent and not there`);
    // Sent and not noted, it would be sent again and again until the disk has space.
    if (store.writeObstacle() !== undefined) return this.#pause();
    if (unsent.reader !== undefined && !this.#mayRead(unsent.reader)) {
      this.#options.log.info({ mail: mail.id }, "a mail was dropped: its receiver may not read about that any more");
      return this.#noteEnd(mail, false);
    }
    try {
      await transport.send(mail);
    } catch (error) {
      if (!(error instanceof MailRefused)) throw error;
      this.#noteRefusal(unsent, error);
      return;
    }
    this.#noteEnd(mail, true);
  }

  #noteRefusal(unsent: UnsentMailRecord, refusal: MailRefused): void {
    const { store, clock, log } = this.#options;
    if (!refusal.isAboutMail) this.#pause();
    const attempts = unsent.attempts + 1;
    const reason = { mail: unsent.id, attempts, reason: refusal.message };
    if (attempts >= attemptsMax) {
      log.error(reason, "a mail was given up");
      this.#noteEnd(unsent, false);
      return;
    }
    log.warn(reason, "a mail was not sent; it will be tried again");
    const delayMs = Math.min(firstDelayMs * 2 ** (attempts - 1), delayMsMax);
    const due_at = toDateTime(clock.now() + delayMs);
    store.transact((tx) => tx.update(unsentMails, { ...unsent, attempts, due_at }));
  }

  #noteEnd({ id }: Pick<MailRecord, "id">, isSent: boolean): void {
    const { store, clock } = this.#options;
    const now = toDateTime(clock.now());
    store.transact((tx) => {
      tx.remove(unsentMails, id);
      tx.append(mailDeliveries, { id, sent_at: isSent ? now : null, ended_at: now });
    });
  }

  #pause(): void {
    this.#pausedUntil = this.#options.clock.now() + pauseMs;
  }

  #lookAgainLater(): void {
    if (this.#state !== "started") return;
    const { clock } = this.#options;
    const mail = this.#first();
    if (mail === undefined) return;
    const at = Math.max(Date.parse(mail.due_at), this.#pausedUntil);
    this.#cancelAlarm = clock.after(Math.max(at - clock.now(), 0), () => this.wake());
  }
}

/** undefined without an SMTP server. */
export const Mailer = serviceKey("mailer", ({ store, clock, log, smtp }) =>
  smtp === undefined
    ? undefined
    : new MailSender({ store, clock, log, transport: smtpTransport(smtp.url, smtp.fromHost) }),
);
