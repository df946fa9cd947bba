import { holderKey, sourceKey, sourceOf } from "../../../domain/source.ts";
import { collection, field, multi, ordered, type RecordOf, record, unique } from "../../../store/index.ts";

/** A user's request to become a member; it gives no access (members-and-access 3). */
export const AccessRequestRecord = record({
  id: field.whole,
  source_type: field.oneOf("group", "project"),
  source_id: field.whole,
  user_id: field.whole,
  created_at: field.moment,
  updated_at: field.moment,
});
export type AccessRequestRecord = RecordOf<typeof AccessRequestRecord>;

export const accessRequests = collection("access-requests", AccessRequestRecord, {
  indexes: {
    holder: unique((request) => holderKey(sourceOf(request), request.user_id)),
    source: multi((request) => [sourceKey(sourceOf(request))]),
    user_id: multi((request) => [request.user_id]),
    id: ordered((request) => request.id),
  },
  references: { source_id: { by: "source_type", of: { group: "groups", project: "projects" } }, user_id: "users" },
});
