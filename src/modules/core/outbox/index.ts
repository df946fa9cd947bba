export { type MailRecord, mailDeliveries, mails, unsentMails } from "./collection.ts";
export { outboxOperations } from "./operations.ts";
export { MailSender } from "./sender.ts";
export { queueMail } from "./service.ts";
export { smtpTransport } from "./smtp.ts";
