import type { Static } from "@sinclair/typebox";
import { field, log, type RecordOf, record } from "../../../store/index.ts";

/** A mail as it was written, whether it ever left the machine or not (notification-settings 5). */
export const MailRecord = record({
  id: field.whole,
  /** One address. */
  to: field.text,
  subject: field.text,
  text: field.text,
  /** The event that it reports, such as `new_issue` or `user_deactivated`. */
  event: field.text,
  created_at: field.moment,
});
export type MailRecord = RecordOf<typeof MailRecord>;

/** The receiver of a mail about a record that not everybody may read. */
const MailReader = field.object({
  user_id: field.whole,
  type: field.oneOf("Project", "Issue", "MergeRequest", "Note", "Epic", "Release"),
  id: field.whole,
});
export type MailReader = Static<typeof MailReader>;
/** The record that a mail is about. */
export type MailTopic = Omit<MailReader, "user_id">;

/** The first queue of the alphabet is emptied first: mails about accounts do not wait for notifications. */
export type MailQueue = "account" | "notification";

/**
 * The result of sending a mail; of the same id. Entries of a log never change, so the results have a log of their own:
 * `mails` need not be in memory to be marked as sent.
 */
export const MailDeliveryRecord = record({
  id: field.whole,
  /** null: given up or dropped. */
  sent_at: field.nullable(field.moment),
  ended_at: field.moment,
});
export type MailDeliveryRecord = RecordOf<typeof MailDeliveryRecord>;

export const mails = log("mails", MailRecord, {
  timeOf: (mail) => Date.parse(mail.created_at),
  keysOf: () => [],
  isSecret: true,
});

export const mailDeliveries = log("mail-deliveries", MailDeliveryRecord, {
  timeOf: (delivery) => Date.parse(delivery.ended_at),
  keysOf: () => [],
  hasGaps: true,
  isSecret: true,
  sequence: undefined,
});
