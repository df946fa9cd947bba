import { collection, field, multi, ordered, type RecordOf, record, unique } from "../../../store/index.ts";

/** A sign-in of a browser (console 1). Only the SHA-256 of the cookie is stored. */
export const SessionRecord = record({
  id: field.whole,
  user_id: field.whole,
  /** The access token that the session was made of, and whose scopes it has; null: whatever the user may do. */
  token_id: field.nullable(field.whole),
  /** `sessions_ended` of the user when the session began: any other number ends it. */
  sessions_ended: field.whole,
  user_agent: field.text,
  ip_address: field.nullable(field.text),
  created_at: field.moment,
  last_used_at: field.moment,
  /** SHA-256 of the cookie, in hexadecimal digits. */
  digest: field.text,
});
export type SessionRecord = RecordOf<typeof SessionRecord>;

export const sessions = collection("sessions", SessionRecord, {
  indexes: {
    digest: unique((session) => session.digest),
    user_id: multi((session) => [session.user_id]),
    id: ordered((session) => session.id),
  },
  secrets: { digest: "renew" },
  references: { user_id: "users" },
});

/** A code that signs one user in once: on the first start, or made by a user of the machine who may write the data folder. */
export const SignInCodeRecord = record({
  id: field.whole,
  user_id: field.whole,
  expires_at: field.moment,
  /** SHA-256 of the code, in hexadecimal digits. */
  digest: field.text,
});
export type SignInCodeRecord = RecordOf<typeof SignInCodeRecord>;

export const signInCodes = collection("sign-in-codes", SignInCodeRecord, {
  indexes: {
    digest: unique((code) => code.digest),
    user_id: multi((code) => [code.user_id]),
    expires_at: ordered((code) => code.expires_at),
  },
  secrets: { digest: "renew" },
  references: { user_id: "users" },
});
