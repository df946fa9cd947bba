import { defineModule } from "../../kernel/module.ts";
import { mailDeliveries, mails } from "./records.ts";
import { OutboxRetention, outboxRetention } from "./retention.ts";
import { UnsentLimit } from "./unsent-limit.ts";

export { MailRemover, OutboxRetention, outboxLimits } from "./retention.ts";
export { mailKind, startMails } from "./sender.ts";
export { enqueueMail } from "./service.ts";
export { smtpTransport } from "./smtp.ts";
export { UnsentLimit, unsentOfCauseMax } from "./unsent-limit.ts";

export const outboxModule = defineModule({
  name: "outbox",
  tag: "Outbox",
  about: { Outbox: "Mails that the instance sent or would send." },
  areas: ["-/mails", "-/outbox"],
  operations: async () => (await import("./operations.ts")).outboxOperations,
  samples: async () => (await import("./samples.ts")).outboxSamples,
  services: [OutboxRetention, UnsentLimit],
  collections: [mails, mailDeliveries],
  cron: [outboxRetention],
});
