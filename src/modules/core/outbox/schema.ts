import { Type } from "@sinclair/typebox";

/** notification-settings 5. */
export const OutboxMail = Type.Object(
  {
    to: Type.String(),
    subject: Type.String(),
    text: Type.String(),
    event: Type.String(),
    created_at: Type.String({ format: "date-time" }),
    sent_at: Type.Union([Type.String({ format: "date-time" }), Type.Null()]),
  },
  { $id: "OutboxMail" },
);
