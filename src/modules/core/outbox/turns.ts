/** The order in which mails that are due are sent. */

import type { Store } from "../../../store/index.ts";
import { type MailQueue, mailQueues, turnOf, turnRange, type UnsentMailRecord, unsentMails } from "./records.ts";

/** Mails about accounts first, and in each queue one mail of each cause in turn: nobody waits behind the many of one. */
export class MailTurns {
  readonly #store: Store;
  /** The key behind the mails of the cause that had its turn last. */
  readonly #last = new Map<MailQueue, string>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** undefined: none is due. */
  next(now: string): UnsentMailRecord | undefined {
    for (const queue of mailQueues) {
      const last = this.#last.get(queue) ?? queue;
      const found = this.#nextBetween(queue, last, undefined, now) ?? this.#nextBetween(queue, queue, last, now);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The first mail that is due of the causes behind a key, and up to another one. */
  #nextBetween(queue: MailQueue, start: string, end: string | undefined, now: string): UnsentMailRecord | undefined {
    for (let behind = start; ; ) {
      const mail = this.#firstBehind(behind);
      if (mail === undefined || !turnOf(mail).startsWith(`${queue} `)) return undefined;
      [, behind] = turnRange(queue, mail.cause ?? "");
      if (end !== undefined && behind > end) return undefined;
      if (mail.due_at > now) continue;
      this.#last.set(queue, behind);
      return mail;
    }
  }

  #firstBehind(key: string): UnsentMailRecord | undefined {
    const documents = this.#store.of(unsentMails);
    const after = { key, id: Number.MAX_SAFE_INTEGER };
    const [id] = documents.by.turn.walk(false, after);
    return id === undefined ? undefined : documents.get(id);
  }
}
