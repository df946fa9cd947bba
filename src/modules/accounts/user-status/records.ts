import { collection, field, type RecordOf, record } from "../../../store/index.ts";

export const availabilities = ["not_set", "busy"] as const;

/** The status of a user (users-and-auth 12); the id is the user's. No record exists for an empty status. */
export const UserStatusRecord = record({
  id: field.whole,
  emoji: field.nullable(field.text),
  message: field.nullable(field.text),
  availability: field.nullable(field.oneOf(...availabilities)),
  /** The time from which the status reads as never set. */
  clear_status_at: field.nullable(field.moment),
});
export type UserStatusRecord = RecordOf<typeof UserStatusRecord>;

export const userStatuses = collection("user-statuses", UserStatusRecord, { sequence: undefined });
