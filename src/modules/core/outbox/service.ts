import { toDateTime } from "../../../lib/datetime.ts";
import type { Transaction } from "../../../store/index.ts";
import type { Context } from "../../kernel/context.ts";
import { type MailRecord, mails, unsentMails } from "./records.ts";
import { OutboxRetention } from "./retention.ts";

/** A mail to one address, in plain text. */
export type Mail = Pick<MailRecord, "to" | "subject" | "text" | "event">;

/**
 * Writes a mail in the transaction of the act that it reports, so that neither exists without the other. It is
 * sent when an SMTP server is configured now: one that is configured later gets no mails of long ago.
 */
export function enqueueMail(tx: Transaction, context: Context, { to, subject, text, event }: Mail): MailRecord {
  const now = toDateTime(context.clock.now());
  const mail = tx.append(mails, { id: tx.nextId("mails"), to, subject, text, event, created_at: now });
  context.get(OutboxRetention).record(mail);
  if (context.mailSender !== undefined) {
    tx.insert(unsentMails, { id: mail.id, attempts: 0, due_at: now });
    context.mailSender.wake();
  }
  return mail;
}
