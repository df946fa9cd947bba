import { subjectKey } from "../../../domain/subject.ts";
import { collection, field, multi, type RecordOf, record, unique } from "../../../store/index.ts";

/** A user's wish to be notified about something or, once unsubscribed, not to be. */
export const SubscriptionRecord = record({
  id: field.whole,
  subject_type: field.text,
  subject_id: field.whole,
  user_id: field.whole,
  subscribed: field.flag,
});
export type SubscriptionRecord = RecordOf<typeof SubscriptionRecord>;

export const subscriptions = collection("subscriptions", SubscriptionRecord, {
  indexes: {
    holder: unique((row) => `${subjectKey({ type: row.subject_type, id: row.subject_id })} ${row.user_id}`),
    subject: multi((row) => [subjectKey({ type: row.subject_type, id: row.subject_id })]),
    user_id: multi((row) => [row.user_id]),
  },
  references: { subject_id: { byTypeIn: "subject_type" }, user_id: "users" },
});
