import { invalid, notFound } from "../../../domain/failure.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import type { Transaction } from "../../../store/index.ts";
import type { Context } from "../../kernel/context.ts";
import { enqueueDelivery, findDelivery, hastenDelivery } from "../deliveries/index.ts";
import { type MailQueue, type MailReader, type MailRecord, mails } from "./records.ts";
import { OutboxRetention } from "./retention.ts";
import { mailKind } from "./sender.ts";
import { UnsentLimit } from "./unsent-limit.ts";

/** A mail to one address, in plain text. */
export interface Mail extends Pick<MailRecord, "to" | "subject" | "text" | "event"> {
  /** A mail that waits is dropped once this user may not read the topic any more. */
  readonly reader?: MailReader;
  /** Default: `notification`. */
  readonly queue?: MailQueue;
  /** The user or project that caused it, such as `user 5`. */
  readonly cause?: string;
}

/**
 * Writes a mail in the transaction of the act that it reports, so that neither exists without the other. It is
 * sent when an SMTP server is configured now: one that is configured later gets no mails of long ago. A notification is
 * dropped while too many of the same cause wait: undefined.
 */
export function enqueueMail(tx: Transaction, context: Context, mail: Mail): MailRecord | undefined {
  const { queue = "notification", cause = "" } = mail;
  if (queue === "notification" && !context.get(UnsentLimit).admits(cause)) return undefined;
  return insertMail(tx, context, mail);
}

function insertMail(tx: Transaction, context: Context, mail: Mail): MailRecord {
  const { to, subject, text, event, reader, queue = "notification", cause = "" } = mail;
  const now = toDateTime(context.clock.now());
  const written = tx.append(mails, { id: tx.nextId("mails"), to, subject, text, event, created_at: now });
  context.get(OutboxRetention).record(written);
  if (context.smtp !== undefined) {
    const delivery = { kind: mailKind, target: to, reference: written.id, queue, cause };
    enqueueDelivery(tx, context, { ...delivery, ...(reader && { payload: reader }) });
  }
  return written;
}

/**
 * Sends a mail now: one that waits does so at once, and of any other one a copy is written and sent. Returns the mail that is
 * sent. Throws 404, and 400 without an SMTP server.
 */
export function resendMail(context: Context, id: number): MailRecord {
  const { store } = context;
  const mail = store.logOf(mails).get(id);
  if (mail === undefined) throw notFound("Mail");
  if (context.smtp === undefined) throw invalid("400 Bad request - no SMTP server is configured");
  return store.transact((tx) => {
    const waiting = findDelivery(store, mailKind, id);
    // Before all notifications.
    const queue = "account";
    if (waiting === undefined) return insertMail(tx, context, { ...mail, queue });
    hastenDelivery(tx, context, waiting, queue);
    return mail;
  });
}
