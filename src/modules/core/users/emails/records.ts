import { collection, field, multi, type RecordOf, record, unique } from "../../../../store/index.ts";

/** A secondary address of a user (users-and-auth 11). The primary one is in the user's own record. */
export const EmailRecord = record({
  id: field.whole,
  user_id: field.whole,
  email: field.text,
  confirmed_at: field.nullable(field.moment),
  created_at: field.moment,
  updated_at: field.moment,
  /** SHA-256 of the token in the link that confirms the address. Left out without one. */
  confirmation_digest: field.optional(field.text),
  /** The moment of the mail with the link. */
  confirmation_sent_at: field.optional(field.moment),
});
export type EmailRecord = RecordOf<typeof EmailRecord>;

export const emails = collection("emails", EmailRecord, {
  indexes: {
    email: unique((record) => record.email.toLowerCase()),
    user_id: multi((record) => [record.user_id]),
    confirmation_digest: multi(({ confirmation_digest: digest }) => (digest === undefined ? [] : [digest])),
  },
  // Odd ids are theirs, even ones those of primary addresses.
  sequence: { name: "emails", numberOf: ({ id }) => Math.ceil(id / 2) },
  secrets: { confirmation_digest: "omit" },
  references: { user_id: "users" },
});
