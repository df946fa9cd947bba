import { collection, multi, unique } from "../../../store/index.ts";
import { type SubjectRef, subjectKey } from "./subjects.ts";

/** That a user wants to hear of something, or, once unsubscribed, does not. */
export interface SubscriptionRecord {
  readonly id: number;
  readonly subject_type: SubjectRef["type"];
  readonly subject_id: number;
  readonly user_id: number;
  readonly subscribed: boolean;
}

export const subscriptions = collection<SubscriptionRecord>()("subscriptions", {
  holder: unique((row) => `${subjectKey({ type: row.subject_type, id: row.subject_id })} ${row.user_id}`),
  subject: multi((row) => [subjectKey({ type: row.subject_type, id: row.subject_id })]),
  user_id: multi((row) => [row.user_id]),
});
