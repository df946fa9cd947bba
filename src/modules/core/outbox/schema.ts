import { Type } from "@sinclair/typebox";
import { idInPath } from "../../../domain/parameters.ts";

/** notification-settings 5. */
export const OutboxMail = Type.Object(
  {
    id: Type.Integer(),
    to: Type.String(),
    subject: Type.String(),
    text: Type.String(),
    event: Type.String(),
    created_at: Type.String({ format: "date-time" }),
    sent_at: Type.Union([Type.String({ format: "date-time" }), Type.Null()]),
  },
  { $id: "OutboxMail" },
);

export const MailParams = Type.Object({ id: idInPath("number of the mail") });
