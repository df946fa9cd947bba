import { type AccessLevel, accessLevels } from "../../../domain/access-level.ts";
import type { CalendarDate, DateTime } from "../../../lib/datetime.ts";
import { bitmap, collection, multi, ordered, type Store, unique } from "../../../store/index.ts";

/** A group or a project as memberships and shares name it. */
export interface SourceRef {
  readonly type: "group" | "project";
  readonly id: number;
}

/** A direct membership: a user, a source, a level (members-and-access 1). */
export interface MembershipRecord {
  readonly id: number;
  readonly source_type: SourceRef["type"];
  readonly source_id: number;
  readonly user_id: number;
  readonly access_level: AccessLevel;
  /** `awaiting`: listed, but gives no access. */
  readonly state: "active" | "awaiting";
  /** Ends at 00:00 UTC of this day. */
  readonly expires_at: CalendarDate | null;
  readonly created_by_id: number | null;
  readonly created_at: DateTime;
  readonly updated_at: DateTime;
}

const neverEnds = "9999-12-31";

export const memberships = collection<MembershipRecord>()("memberships", {
  holder: unique((row) => holderKey({ type: row.source_type, id: row.source_id }, row.user_id)),
  source: multi((row) => [sourceKey({ type: row.source_type, id: row.source_id })]),
  user_id: multi((row) => [row.user_id]),
  /** Owners by source: whether somebody is the last one is asked at every change. */
  owners: multi((row) =>
    row.access_level === accessLevels.owner ? [sourceKey({ type: row.source_type, id: row.source_id })] : [],
  ),
  flag: bitmap(flagsOf),
  id: ordered((row) => row.id),
  expires_at: ordered((row) => row.expires_at ?? neverEnds),
});

/** What lists filter by. */
function flagsOf(row: MembershipRecord): string[] {
  const flags: string[] = [row.source_type];
  if (row.state === "awaiting") flags.push("awaiting");
  if (row.access_level === accessLevels.minimal) flags.push("minimal");
  return flags;
}

/** A group that was invited to a group or a project: its members get access there (members-and-access 5). */
export interface GroupLinkRecord {
  readonly id: number;
  readonly source_type: SourceRef["type"];
  readonly source_id: number;
  /** The invited group. */
  readonly group_id: number;
  readonly group_access: AccessLevel;
  readonly expires_at: CalendarDate | null;
  readonly created_at: DateTime;
  readonly updated_at: DateTime;
}

export const groupLinks = collection<GroupLinkRecord>()("group-links", {
  pair: unique((link) => holderKey({ type: link.source_type, id: link.source_id }, link.group_id)),
  source: multi((link) => [sourceKey({ type: link.source_type, id: link.source_id })]),
  group_id: multi((link) => [link.group_id]),
  id: ordered((link) => link.id),
  expires_at: ordered((link) => link.expires_at ?? neverEnds),
});

export function sourceKey({ type, id }: SourceRef): string {
  return `${type} ${id}`;
}

/** A source with the user or the group that has a row in it. */
export function holderKey(source: SourceRef, holderId: number): string {
  return `${sourceKey(source)} ${holderId}`;
}

/** Whether a membership or a share is over. */
export function isOver({ expires_at }: { readonly expires_at: CalendarDate | null }, today: CalendarDate): boolean {
  return expires_at !== null && expires_at <= today;
}

/** Calls `note` with the source of every membership and share that comes, goes or changes. */
export function watchSources(store: Store, note: (source: SourceRef) => void): void {
  const noteSource = (row: { readonly source_type: SourceRef["type"]; readonly source_id: number } | undefined) => {
    if (row !== undefined) note({ type: row.source_type, id: row.source_id });
  };
  store.watch(memberships, (before, after) => noteSource(after ?? before));
  store.watch(groupLinks, (before, after) => noteSource(after ?? before));
}
