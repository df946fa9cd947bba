import { invalid, notFound } from "../../../domain/failure.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import type { Transaction } from "../../../store/index.ts";
import type { Context } from "../../kernel/context.ts";
import { type MailReader, type MailRecord, mails, unsentMails } from "./records.ts";
import { OutboxRetention } from "./retention.ts";

/** A mail to one address, in plain text. */
export interface Mail extends Pick<MailRecord, "to" | "subject" | "text" | "event"> {
  /** A mail that waits is dropped once this user may not read the topic any more. */
  readonly reader?: MailReader;
}

/**
 * Writes a mail in the transaction of the act that it reports, so that neither exists without the other. It is
 * sent when an SMTP server is configured now: one that is configured later gets no mails of long ago.
 */
export function enqueueMail(tx: Transaction, context: Context, mail: Mail): MailRecord {
  const { to, subject, text, event, reader } = mail;
  const now = toDateTime(context.clock.now());
  const written = tx.append(mails, { id: tx.nextId("mails"), to, subject, text, event, created_at: now });
  context.get(OutboxRetention).record(written);
  if (context.mailSender !== undefined) {
    tx.insert(unsentMails, { id: written.id, attempts: 0, due_at: now, ...(reader && { reader }) });
    context.mailSender.wake();
  }
  return written;
}

/**
 * Sends a mail now: one that waits does so at once, and of any other one a copy is written and sent. Returns the mail that is
 * sent. Throws 404, and 400 without an SMTP server.
 */
export function resendMail(context: Context, id: number): MailRecord {
  const { store, clock, mailSender } = context;
  const mail = store.logOf(mails).get(id);
  if (mail === undefined) throw notFound("Mail");
  if (mailSender === undefined) throw invalid("400 Bad request - no SMTP server is configured");
  return store.transact((tx) => {
    const waiting = store.of(unsentMails).get(id);
    if (waiting === undefined) return enqueueMail(tx, context, mail);
    tx.update(unsentMails, { ...waiting, due_at: toDateTime(clock.now()) });
    mailSender.wake();
    return mail;
  });
}
