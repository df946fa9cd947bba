import type { DateTime } from "../../../lib/datetime.ts";
import { collection, multi, ordered, unique } from "../../../store/index.ts";

/** A pipeline trigger token of a project (triggers-and-pipelines 1). */
export interface TriggerRecord {
  readonly id: number;
  readonly project_id: number;
  /** As it is: its owner may read it again at any time. */
  readonly token: string;
  readonly description: string;
  readonly owner_id: number;
  readonly created_at: DateTime;
  readonly updated_at: DateTime;
  readonly last_used: DateTime | null;
  readonly expires_at: DateTime | null;
}

export const triggers = collection<TriggerRecord>()("triggers", {
  token: unique((trigger) => trigger.token),
  project_id: multi((trigger) => [trigger.project_id]),
  owner_id: multi((trigger) => [trigger.owner_id]),
  id: ordered((trigger) => trigger.id),
});
