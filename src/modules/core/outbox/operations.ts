import { type Static, Type } from "@sinclair/typebox";
import { mapPage, type Page, type PageRequest } from "../../../domain/page.ts";
import { ok, operation, pageOf } from "../../kernel/operation.ts";
import type { View } from "../../kernel/view.ts";
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
    handle: listMails,
  }),

  /** sandbox 5 */
  operation({
    method: "GET",
    path: "/-/mails",
    root: true,
    summary: "List the mails that a sandbox has written",
    who: "administrator_first",
    http: { partOf: "sandbox" },
    params: Type.Object({}),
    answer: pageOf(OutboxMail),
    handle: listMails,
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

/** Newest first. */
function listMails(call: View & { readonly page: PageRequest }): Page<Static<typeof OutboxMail>> {
  const found = call.context.store.logOf(mails).page({ keys: [], descending: true, page: call.page });
  return mapPage(found, (mail) => presentMail(mail, call));
}
