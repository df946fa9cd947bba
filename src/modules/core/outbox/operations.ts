import { Type } from "@sinclair/typebox";
import { mapPage } from "../../../domain/page.ts";
import { ok, operation, pageOf } from "../../kernel/operation.ts";
import { presentMail } from "./present.ts";
import { mails } from "./records.ts";
import { MailParams, OutboxMail } from "./schema.ts";
import { resendMail } from "./service.ts";

export const outboxOperations = [
  operation({
    method: "GET",
    path: "/-/outbox",
    root: true,
    summary: "List the mails in the outbox",
    who: "administrator",
    params: Type.Object({}),
    answer: pageOf(OutboxMail),
    handle(call) {
      const {
        context: { store },
        page,
      } = call;
      const found = store.logOf(mails).page({ keys: [], descending: true, page });
      return mapPage(found, (mail) => presentMail(mail, call));
    },
  }),

  operation({
    method: "POST",
    path: "/-/outbox/:id/resend",
    root: true,
    summary: "Send a mail in the outbox again",
    who: "administrator",
    params: MailParams,
    answer: ok(OutboxMail),
    failures: ["invalid"],
    handle(call) {
      return presentMail(resendMail(call.context, call.params.id), call);
    },
  }),
];
