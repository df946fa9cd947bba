import { accessLevels } from "../../../domain/access-level.ts";
import { holderKey, sourceKey, sourceOf } from "../../../domain/source.ts";
import { afterAllDates } from "../../../lib/datetime.ts";
import { collection, field, multi, ordered, type RecordOf, record, unique } from "../../../store/index.ts";

/** A group that was invited to a group or a project: its members get access there (members-and-access 5). */
export const GroupLinkRecord = record({
  id: field.whole,
  source_type: field.oneOf("group", "project"),
  source_id: field.whole,
  /** The invited group. */
  group_id: field.whole,
  group_access: field.oneOf(...Object.values(accessLevels)),
  expires_at: field.nullable(field.day),
  created_at: field.moment,
  updated_at: field.moment,
});
export type GroupLinkRecord = RecordOf<typeof GroupLinkRecord>;

export const groupLinks = collection("group-links", GroupLinkRecord, {
  indexes: {
    pair: unique((link) => holderKey(sourceOf(link), link.group_id)),
    source: multi((link) => [sourceKey(sourceOf(link))]),
    group_id: multi((link) => [link.group_id]),
    id: ordered((link) => link.id),
    expires_at: ordered((link) => link.expires_at ?? afterAllDates),
  },
  references: { source_id: { by: "source_type", of: { group: "groups", project: "projects" } }, group_id: "groups" },
});
