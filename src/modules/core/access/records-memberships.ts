import { accessLevels } from "../../../domain/access-level.ts";
import type { CalendarDate } from "../../../lib/datetime.ts";
import {
  bitmap,
  collection,
  field,
  multi,
  ordered,
  type RecordOf,
  record,
  type Store,
  unique,
} from "../../../store/index.ts";

/** A group or a project as memberships and shares name it. */
export interface SourceRef {
  readonly type: "group" | "project";
  readonly id: number;
}

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

const neverEnds = "9999-12-31";

export const memberships = collection("memberships", MembershipRecord, {
  indexes: {
    holder: unique((row) => holderKey({ type: row.source_type, id: row.source_id }, row.user_id)),
    source: multi((row) => [sourceKey({ type: row.source_type, id: row.source_id })]),
    user_id: multi((row) => [row.user_id]),
    /** Owners by source: each change checks whether the user is the last one. */
    owners: multi((row) =>
      row.access_level === accessLevels.owner ? [sourceKey({ type: row.source_type, id: row.source_id })] : [],
    ),
    flag: bitmap(flagsOf),
    id: ordered((row) => row.id),
    expires_at: ordered((row) => row.expires_at ?? neverEnds),
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
    pair: unique((link) => holderKey({ type: link.source_type, id: link.source_id }, link.group_id)),
    source: multi((link) => [sourceKey({ type: link.source_type, id: link.source_id })]),
    group_id: multi((link) => [link.group_id]),
    id: ordered((link) => link.id),
    expires_at: ordered((link) => link.expires_at ?? neverEnds),
  },
  references: { source_id: { by: "source_type", of: { group: "groups", project: "projects" } }, group_id: "groups" },
});

export function sourceKey({ type, id }: SourceRef): string {
  return `${type} ${id}`;
}

/** A source with the user or the group that has a row in it. */
export function holderKey(source: SourceRef, holderId: number): string {
  return `${sourceKey(source)} ${holderId}`;
}

/** True when a membership or a share has expired. */
export function isExpired({ expires_at }: { readonly expires_at: CalendarDate | null }, today: CalendarDate): boolean {
  return expires_at !== null && expires_at <= today;
}

/** Calls `note` with the source of every membership and share that is added, removed or changed. */
export function watchSources(store: Store, note: (source: SourceRef) => void): void {
  const noteSource = (row: { readonly source_type: SourceRef["type"]; readonly source_id: number } | undefined) => {
    if (row !== undefined) note({ type: row.source_type, id: row.source_id });
  };
  store.watch(memberships, (before, after) => noteSource(after ?? before));
  store.watch(groupLinks, (before, after) => noteSource(after ?? before));
}
