import type { Static } from "@sinclair/typebox";
import type { View } from "../../kernel/view.ts";
import { type MailRecord, mailDeliveries } from "./records.ts";
import type { OutboxMail } from "./schema.ts";

/** notification-settings 5. `sent_at` is null for a mail that waits, that was given up, or that had no SMTP server. */
export function presentMail(mail: MailRecord, { context: { store } }: View): Static<typeof OutboxMail> {
  return {
    id: mail.id,
    to: mail.to,
    subject: mail.subject,
    text: mail.text,
    event: mail.event,
    created_at: mail.created_at,
    sent_at: store.logOf(mailDeliveries).get(mail.id)?.sent_at ?? null,
  };
}
