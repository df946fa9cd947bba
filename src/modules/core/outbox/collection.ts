import type { DateTime } from "../../../lib/datetime.ts";
import { collection, log, ordered } from "../../../store/index.ts";

/** A mail as it was written, whether it ever left the machine or not (notification-settings 5). */
export interface MailRecord {
  readonly id: number;
  /** One address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** What it tells of, such as `new_issue` or `user_deactivated`. */
  readonly event: string;
  readonly created_at: DateTime;
}

/** A mail that still has to be sent; of the same id. Removed once it was, or once it was given up. */
export interface UnsentMailRecord {
  readonly id: number;
  readonly attempts: number;
  readonly due_at: DateTime;
}

/**
 * How the sending of a mail ended; of the same id. Entries of a log stay as they are, so the end has a log of its own:
 * `mails` need not be in memory to be told as sent.
 */
export interface MailDeliveryRecord {
  readonly id: number;
  /** null: given up. */
  readonly sent_at: DateTime | null;
  readonly ended_at: DateTime;
}

export const mails = log<MailRecord>("mails", {
  timeOf: (mail) => Date.parse(mail.created_at),
  keysOf: () => [],
});

export const unsentMails = collection<UnsentMailRecord>()("unsent-mails", {
  due_at: ordered((mail) => mail.due_at),
});

export const mailDeliveries = log<MailDeliveryRecord>("mail-deliveries", {
  timeOf: (delivery) => Date.parse(delivery.ended_at),
  keysOf: () => [],
  hasGaps: true,
});
