import { Type } from "@sinclair/typebox";
import { mapPage } from "../../../domain/page.ts";
import { operation, pageOf } from "../../kernel/operation.ts";
import { presentMail } from "./present.ts";
import { mails } from "./records.ts";
import { OutboxMail } from "./schema.ts";

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
];
