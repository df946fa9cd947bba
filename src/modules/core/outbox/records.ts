import type { Static } from "@sinclair/typebox";
import { collection, field, log, ordered, type RecordOf, record } from "../../../store/index.ts";

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
  type: field.oneOf("Project", "Issue", "Note", "Epic"),
  id: field.whole,
});
export type MailReader = Static<typeof MailReader>;
/** The record that a mail is about. */
export type MailTopic = Omit<MailReader, "user_id">;

/** The sender empties the first queue first: mails about accounts do not wait for notifications. */
export const mailQueues = ["account", "notification"] as const;
export type MailQueue = (typeof mailQueues)[number];

/** A mail that still has to be sent; of the same id. Removed once it was, or once it was given up. */
export const UnsentMailRecord = record({
  id: field.whole,
  reader: field.optional(MailReader),
  /** Absent: a notification. */
  queue: field.optional(field.oneOf(...mailQueues)),
  /** The user or project that caused the mail, such as `user 5`. The sender serves all causes in turn. */
  cause: field.optional(field.text),
  attempts: field.whole,
  due_at: field.moment,
});
export type UnsentMailRecord = RecordOf<typeof UnsentMailRecord>;

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

export const unsentMails = collection("unsent-mails", UnsentMailRecord, {
  indexes: {
    id: ordered((mail) => mail.id),
    due_at: ordered((mail) => mail.due_at),
    /** The mails of each cause, by the time at which they are due. */
    turn: ordered((mail) => `${turnOf(mail)} ${mail.due_at}`),
  },
  isSecret: true,
  sequence: undefined,
});

/** The beginning of the keys of a queue and a cause. */
export function turnOf({ queue = "notification", cause = "" }: Pick<UnsentMailRecord, "queue" | "cause">): string {
  return `${queue} ${cause}`;
}

/** Keys around those of the mails of a queue and a cause. */
export function turnRange(queue: MailQueue, cause: string): readonly [before: string, behind: string] {
  const turn = turnOf({ queue, cause });
  // The character behind a space, which is before all that a cause may go on with.
  return [`${turn} `, `${turn}!`];
}

export const mailDeliveries = log("mail-deliveries", MailDeliveryRecord, {
  timeOf: (delivery) => Date.parse(delivery.ended_at),
  keysOf: () => [],
  hasGaps: true,
  isSecret: true,
  sequence: undefined,
});
