import { accessLevels } from "../../../domain/access-level.ts";
import { holderKey, sourceKey, sourceOf } from "../../../domain/source.ts";
import { afterAllDates, type CalendarDate } from "../../../lib/datetime.ts";
import { bitmap, collection, field, multi, ordered, type RecordOf, record, unique } from "../../../store/index.ts";

/** A direct membership: a user, a source, a level (members-and-access 1). */
export const MembershipRecord = record({
  id: field.whole,
  source_type: field.oneOf("group", "project"),
  source_id: field.whole,
  user_id: field.whole,
  access_level: field.oneOf(...Object.values(accessLevels)),
  /** `awaiting`: listed, but gives no access. */
  state: field.oneOf("active", "awaiting"),
  /** Ends at 00:00 UTC of this day. */
  expires_at: field.nullable(field.day),
  created_by_id: field.nullable(field.whole),
  created_at: field.moment,
  updated_at: field.moment,
});
export type MembershipRecord = RecordOf<typeof MembershipRecord>;

export const memberships = collection("memberships", MembershipRecord, {
  indexes: {
    holder: unique((row) => holderKey(sourceOf(row), row.user_id)),
    source: multi((row) => [sourceKey(sourceOf(row))]),
    user_id: multi((row) => [row.user_id]),
    /** Owners by source: each change checks whether the user is the last one. */
    owners: multi((row) => (row.access_level === accessLevels.owner ? [sourceKey(sourceOf(row))] : [])),
    flag: bitmap(flagsOf),
    id: ordered((row) => row.id),
    expires_at: ordered((row) => row.expires_at ?? afterAllDates),
  },
  references: { source_id: { by: "source_type", of: { group: "groups", project: "projects" } }, user_id: "users" },
});

/** Returns the flags that lists filter by. */
function flagsOf(row: MembershipRecord): string[] {
  const flags: string[] = [row.source_type];
  if (row.state === "awaiting") flags.push("awaiting");
  if (row.access_level === accessLevels.minimal) flags.push("minimal");
  return flags;
}

/** True when a membership or a share has expired. */
export function isExpired({ expires_at }: { readonly expires_at: CalendarDate | null }, today: CalendarDate): boolean {
  return expires_at !== null && expires_at <= today;
}
