import type { Store } from "../../../store/index.ts";
import { type MailRecord, mailDeliveries } from "./records.ts";

/** notification-settings 5. `sent_at` is null for a mail that waits, that was given up, and that nobody was to send. */
export function presentMail(store: Store, mail: MailRecord) {
  return {
    to: mail.to,
    subject: mail.subject,
    text: mail.text,
    event: mail.event,
    created_at: mail.created_at,
    sent_at: store.logOf(mailDeliveries).get(mail.id)?.sent_at ?? null,
  };
}
