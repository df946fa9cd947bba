import type { DateTime } from "../../../lib/datetime.ts";
import { collection, multi, ordered, unique } from "../../../store/index.ts";
import { holderKey, type SourceRef, sourceKey } from "./memberships.ts";

/** Somebody asks to become a member; it gives no access (members-and-access 3). */
export interface AccessRequestRecord {
  readonly id: number;
  readonly source_type: SourceRef["type"];
  readonly source_id: number;
  readonly user_id: number;
  readonly created_at: DateTime;
  readonly updated_at: DateTime;
}

export const accessRequests = collection<AccessRequestRecord>()("access-requests", {
  holder: unique((request) => holderKey({ type: request.source_type, id: request.source_id }, request.user_id)),
  source: multi((request) => [sourceKey({ type: request.source_type, id: request.source_id })]),
  user_id: multi((request) => [request.user_id]),
  id: ordered((request) => request.id),
});
