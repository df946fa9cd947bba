/** The kind of delivery that sends mails. */

import { toDateTime } from "../../../lib/datetime.ts";
import type { Context } from "../../kernel/context.ts";
import { Deliveries, type DeliveryKind } from "../deliveries/index.ts";
import type { DeliveryRecord } from "../deliveries/records.ts";
import { type MailReader, mailDeliveries, mails } from "./records.ts";
import { MailRefused, smtpTransport } from "./smtp.ts";

/** The name of the kind. */
export const mailKind = "mail";

const firstDelayMs = 60_000;
const delayMsMax = 4 * 3_600_000;
/** The attempts of about two days. */
const attemptsMax = 20;

/**
 * Sends the mails that an earlier process left, and from now on those that come, one after the other, to users who may still read
 * their topic then. Without an SMTP server, nothing is sent.
 */
export function startMails(context: Context, mayRead: (reader: MailReader) => boolean): void {
  const { smtp, store, clock } = context;
  if (smtp === undefined) return;
  const transport = smtpTransport(smtp.url, smtp.fromHost);
  const kind: DeliveryKind = {
    name: mailKind,
    attemptsMax,
    delayMs: (attempts) => Math.min(firstDelayMs * 2 ** (attempts - 1), delayMsMax),
    hostOf: () => "SMTP",
    isWanted: ({ payload }) => payload === undefined || mayRead(payload as MailReader),
    async send({ reference }: DeliveryRecord) {
      const mail = store.logOf(mails).get(reference);
      if (mail === undefined) throw new Error(`mail ${reference} is to be sent and not there`);
      try {
        await transport.send(mail);
      } catch (error) {
        if (!(error instanceof MailRefused)) throw error;
        return { isSent: false, status: error.message, isLaneBlocked: !error.isAboutMail };
      }
      return { isSent: true, status: "sent" };
    },
    recordEnd(tx, { reference: id }, end) {
      const ended_at = toDateTime(clock.now());
      tx.append(mailDeliveries, { id, sent_at: end === "sent" ? ended_at : null, ended_at });
    },
  };
  context.get(Deliveries).register(kind);
}
