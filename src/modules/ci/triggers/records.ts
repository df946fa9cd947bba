import { collection, field, multi, ordered, type RecordOf, record, unique } from "../../../store/index.ts";

/** A pipeline trigger token of a project (triggers-and-pipelines 1). */
export const TriggerRecord = record({
  id: field.whole,
  project_id: field.whole,
  /** The token itself, not its digest: its owner may read it again at any time. */
  token: field.text,
  description: field.text,
  owner_id: field.whole,
  created_at: field.moment,
  updated_at: field.moment,
  last_used: field.nullable(field.moment),
  expires_at: field.nullable(field.moment),
});
export type TriggerRecord = RecordOf<typeof TriggerRecord>;

export const triggers = collection("triggers", TriggerRecord, {
  indexes: {
    token: unique((trigger) => trigger.token),
    project_id: multi((trigger) => [trigger.project_id]),
    owner_id: multi((trigger) => [trigger.owner_id]),
    id: ordered((trigger) => trigger.id),
  },
  secrets: { token: "renew" },
  references: { project_id: "projects", owner_id: "users" },
});
