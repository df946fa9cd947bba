import { defineModule } from "../../kernel/module.ts";
import { outboxOperations } from "./operations.ts";
import { mailDeliveries, mails, unsentMails } from "./records.ts";
import { OutboxRetention, outboxRetention } from "./retention.ts";

export { type MailReader, type MailRecord, type MailTopic, mailDeliveries, mails, unsentMails } from "./records.ts";
export { MailRemover, OutboxRetention, outboxLimits } from "./retention.ts";
export { MailSender } from "./sender.ts";
export { enqueueMail } from "./service.ts";
export { smtpTransport } from "./smtp.ts";

export const outboxModule = defineModule({
  name: "outbox",
  tag: "Outbox",
  operations: outboxOperations,
  services: [OutboxRetention],
  collections: [mails, unsentMails, mailDeliveries],
  cron: [outboxRetention],
});
