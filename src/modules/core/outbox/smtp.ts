/** The SMTP transport. */

import type { Transporter } from "nodemailer";
import type { MailRecord } from "./records.ts";

/** The connection that delivers mails to a server, one at a time. */
export interface MailTransport {
  /** Resolves once the server has taken the mail over. Throws `MailRefused` otherwise. */
  send(mail: MailRecord): Promise<void>;
}

/** Why a mail was not sent, in words that hold neither credentials nor what the server said. */
export class MailRefused extends Error {
  override readonly name = "MailRefused";
  /** The server answered, and it was this mail that it did not want; otherwise no mail would get through. */
  readonly isAboutMail: boolean;

  constructor(reason: string, isAboutMail: boolean) {
    super(reason);
    this.isAboutMail = isAboutMail;
  }
}

const connectMsMax = 10_000;
const silenceMsMax = 30_000;
/** A server that sends a byte now and then is never silent. */
const deliveryMsMax = 120_000;

/**
 * Sends through the server at `url` (`smtp://user:password@host:port`, or `smtps:` for TLS from the first byte;
 * elsewhere TLS is used where the server offers it). `fromHost` names the sender, `outpost@<host>`.
 */
export function smtpTransport(url: string, fromHost: string, msMax = deliveryMsMax): MailTransport {
  let transporter: Transporter | undefined;
  return {
    async send(mail) {
      transporter ??= open(url);
      const signal = AbortSignal.timeout(msMax);
      try {
        await transporter.sendMail({
          signal,
          from: `outpost@${fromHost}`,
          to: { name: "", address: mail.to },
          subject: mail.subject,
          text: mail.text,
          date: new Date(mail.created_at),
          // The same id at each attempt, so that mail programs recognise a mail that arrives twice.
          messageId: `<outpost-${Date.parse(mail.created_at)}-${mail.id}@${fromHost}>`,
        });
      } catch (error) {
        if (signal.aborted) throw new MailRefused(`the delivery took more than ${msMax / 1000} seconds`, false);
        throw refusalOf(error);
      }
    },
  };
}

/**
 * The library is loaded by the first mail, so that the start does not wait for it. Required, not imported: a bundled
 * import, also a dynamic one, has every module of the runtime that it names loaded at the start, which takes 5 ms.
 */
function open(url: string): Transporter {
  const { createTransport } = require("nodemailer") as typeof import("nodemailer");
  const { protocol, hostname, port, username, password } = new URL(url);
  const isSecure = protocol === "smtps:";
  const user = decodeURIComponent(username);
  return createTransport({
    host: hostname.replace(/^\[(.*)\]$/, "$1"),
    port: port === "" ? (isSecure ? 465 : 587) : Number(port),
    secure: isSecure,
    ...(user === "" ? {} : { auth: { user, pass: decodeURIComponent(password) } }),
    connectionTimeout: connectMsMax,
    greetingTimeout: connectMsMax,
    socketTimeout: silenceMsMax,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

function refusalOf(error: unknown): MailRefused {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  if (responseCode !== undefined) {
    return new MailRefused(`the server answered ${responseCode}`, code === "EENVELOPE" || code === "EMESSAGE");
  }
  return new MailRefused(error instanceof Error ? error.message : String(error), code === "EENVELOPE");
}
