import { Type } from "@sinclair/typebox";
import { boolean, idInPath, integer, optional, text } from "../../../../domain/parameters.ts";

/** users-and-auth 11. */
export const Email = Type.Object(
  {
    id: Type.Integer(),
    email: Type.String(),
    confirmed_at: Type.Union([Type.String({ format: "date-time" }), Type.Null()]),
  },
  { $id: "Email" },
);

/** Text in its place is invalid, not an unknown route. */
const emailId = integer({ description: "email address id", saturate: true });

export const OwnEmail = Type.Object({ email_id: emailId });
export const AddOwnEmail = Type.Object({ email: text() });
export const EmailsOfUser = Type.Object({ id: idInPath("user id") });
export const AddEmail = Type.Object({
  id: idInPath("user id"),
  email: text(),
  skip_confirmation: optional(boolean({ description: "true: confirmed at once" })),
});
export const EmailOfUser = Type.Object({ id: idInPath("user id"), email_id: emailId });
