export { outboxOperations } from "./operations.ts";
export { type MailRecord, mailDeliveries, mails, unsentMails } from "./records.ts";
export { MailSender } from "./sender.ts";
export { queueMail } from "./service.ts";
export { smtpTransport } from "./smtp.ts";
