/** The service and the periodic work that remove the oldest mails of the outbox. */

import { withoutBudget } from "../../../domain/work-budget.ts";
import { lastIdOf, sequences } from "../../../store/index.ts";
import type { Context } from "../../kernel/context.ts";
import { type CronJob, daily, type LongWork } from "../../kernel/job.ts";
import { serviceKey } from "../../kernel/service.ts";
import { findFirstReference } from "../deliveries/index.ts";
import { isLarge, MailAccount, type MailLimits, type MailSize } from "./account.ts";
import { type MailRecord, mailDeliveries, mails } from "./records.ts";
import { mailKind } from "./sender.ts";

/** The limits of a server. */
export const outboxLimits: MailLimits = { mails: 100_000, bytes: 128 << 20 };

/**
 * Keeps the newest mails. Mails beyond the limits are removed once they are a tenth of a limit, but neither one that is
 * still to be sent nor anything after it. A removal is two small transactions, however many mails it takes.
 */
export class MailRemover {
  readonly #context: Pick<Context, "store" | "log">;
  readonly #limits: MailLimits;
  #account: MailAccount;
  /** Whether the account has all mails of the log; nothing is removed before. */
  #isComplete = false;
  #isPlanned = false;

  constructor(context: Pick<Context, "store" | "log">, limits: MailLimits) {
    this.#context = context;
    this.#limits = limits;
    this.#account = new MailAccount(limits);
  }

  /** Counts a mail, in its transaction. Where it is beyond the limits, mails are removed after the transaction. */
  record(mail: MailRecord): void {
    this.#account.add(sizeOf(mail));
    if (!this.#isComplete || this.#isPlanned || !this.#account.isOverLimits) return;
    this.#isPlanned = true;
    queueMicrotask(() => {
      this.#isPlanned = false;
      withoutBudget(() => this.#removeOrLog());
    });
  }

  /** Reads the sizes of the mails once for each process, and removes what is beyond the limits. */
  async run(pace: LongWork["pace"]): Promise<void> {
    if (this.#isComplete) this.#remove(false);
    else await this.#complete(pace);
  }

  /** Reads from the newest mail back, as far as the limits reach or mails are to be sent. All older ones are removed. */
  async #complete(pace: LongWork["pace"]): Promise<void> {
    const { store } = this.#context;
    // The last process may have ended between the two transactions of a removal.
    store.dropBelow(mailDeliveries, store.logOf(mails).droppedBelow);
    this.#account = new MailAccount(this.#limits);
    const unsent = this.#oldestUnsent();
    const older: MailSize[] = [];
    const beyond = { mails: -this.#limits.mails, bytes: -this.#limits.bytes };
    let mail = this.#lastBefore(this.#lastId() + 1);
    while (mail !== undefined && (mail.id >= unsent || !isLarge(this.#limits, beyond))) {
      const size = sizeOf(mail);
      older.push(size);
      beyond.mails += 1;
      beyond.bytes += size.bytes;
      await pace();
      mail = this.#lastBefore(mail.id);
    }
    this.#account.addOlder(older);
    this.#remove(mail !== undefined);
    this.#isComplete = true;
  }

  #removeOrLog(): void {
    try {
      this.#remove(false);
    } catch (error) {
      // The next mail tries it again.
      this.#context.log.warn({ error: String(error) }, "old mails could not be removed");
    }
  }

  #remove(hasUncounted: boolean): void {
    const { store, log } = this.#context;
    const last = this.#lastId();
    this.#account.removeAfter(last);
    this.#account.moveExcess(this.#oldestUnsent());
    if (!hasUncounted && !this.#account.isExcessLarge) return;
    const below = this.#account.firstRetained ?? last + 1;
    const before = store.logOf(mails).size;
    // A result without its mail is harmless; a mail without its result would look unsent.
    store.dropBelow(mails, below);
    this.#account.removeExcess();
    store.dropBelow(mailDeliveries, below);
    log.info({ removed: before - store.logOf(mails).size }, "the oldest mails were removed from the outbox");
  }

  #lastBefore(id: number): MailRecord | undefined {
    const page = { kind: "keyset", after: { key: id, id }, perPage: 1 } as const;
    return this.#context.store.logOf(mails).page({ keys: [], descending: true, page }).items[0];
  }

  #lastId(): number {
    return lastIdOf(this.#context.store.of(sequences), "mails");
  }

  /** Infinity: none waits. */
  #oldestUnsent(): number {
    return findFirstReference(this.#context.store, mailKind) ?? Number.POSITIVE_INFINITY;
  }
}

function sizeOf({ id, to, subject, text }: MailRecord): MailSize {
  return { id, bytes: Buffer.byteLength(to) + Buffer.byteLength(subject) + Buffer.byteLength(text) };
}

/** Removes the oldest mails. */
export const OutboxRetention = serviceKey("outbox-retention", (context) => new MailRemover(context, outboxLimits));

/** Counts the mails at the start; each day it removes what waited for mails that have been sent since. */
export const outboxRetention: CronJob = {
  name: "mails beyond the limits of the outbox",
  schedule: daily,
  atStart: true,
  run: ({ context, pace }) => context.get(OutboxRetention).run(pace),
};
