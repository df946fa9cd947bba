import type { Static } from "@sinclair/typebox";
import { type Page, type PageRequest, pageOfAll } from "../../../../domain/page.ts";
import { findUser } from "../../../core/users/index.ts";
import type { UserRecord } from "../../../core/users/records.ts";
import type { GroupRecord } from "../../../groups-and-projects/groups/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { type HierarchyMember, hierarchyMembersOf, isBillable } from "../hierarchy-members.ts";
import type { ListBillableMembers } from "./schema.ts";

/** A user who takes a seat, and the membership that is the reason. */
export interface BillableMemberEntry extends HierarchyMember {
  readonly user: UserRecord;
}

type Sort = NonNullable<Static<typeof ListBillableMembers>["sort"]>;
type Key = string | number | null;

const orders: Readonly<
  Record<Sort, { readonly key: (entry: BillableMemberEntry) => Key; readonly isFalling: boolean }>
> = {
  access_level_asc: { key: ({ level }) => level, isFalling: false },
  access_level_desc: { key: ({ level }) => level, isFalling: true },
  last_joined: { key: ({ joinedAt }) => joinedAt, isFalling: true },
  oldest_joined: { key: ({ joinedAt }) => joinedAt, isFalling: false },
  name_asc: { key: ({ user }) => user.name.toLowerCase(), isFalling: false },
  name_desc: { key: ({ user }) => user.name.toLowerCase(), isFalling: true },
  recent_sign_in: { key: ({ user }) => user.current_sign_in_at, isFalling: true },
  oldest_sign_in: { key: ({ user }) => user.current_sign_in_at, isFalling: false },
  last_activity_on_asc: { key: ({ user }) => user.last_activity_on, isFalling: false },
  last_activity_on_desc: { key: ({ user }) => user.last_activity_on, isFalling: true },
};

/** `GET /groups/:id/billable_members`: by id unless another order is asked for. */
export function listBillableMembers(
  context: Context,
  group: GroupRecord,
  { search, sort }: Omit<Static<typeof ListBillableMembers>, "id">,
  page: PageRequest,
): Page<BillableMemberEntry> {
  const wanted = search?.trim().toLowerCase();
  const entries: BillableMemberEntry[] = [];
  for (const occupant of hierarchyMembersOf(context, group.id).values()) {
    const entry = entryOf(context, occupant);
    if (entry !== undefined && (!wanted || matches(entry.user, wanted))) entries.push(entry);
  }
  const order = sort === undefined ? undefined : orders[sort];
  entries.sort((one, other) => {
    const byKey = order === undefined ? 0 : compareKeys(order.key(one), order.key(other));
    return (order?.isFalling === true ? -byKey : byKey) || one.userId - other.userId;
  });
  return pageOfAll(entries, page);
}

/** A user who takes a seat in the group's hierarchy; undefined for all others. */
export function findBillableMember(
  context: Context,
  group: GroupRecord,
  userId: number,
): BillableMemberEntry | undefined {
  const occupant = hierarchyMembersOf(context, group.id).get(userId);
  return occupant === undefined ? undefined : entryOf(context, occupant);
}

function entryOf(context: Context, occupant: HierarchyMember): BillableMemberEntry | undefined {
  const user = findUser(context.store, occupant.userId);
  return user !== undefined && isBillable(context, user, occupant.level) ? { ...occupant, user } : undefined;
}

function matches({ name, username, public_email }: UserRecord, wanted: string): boolean {
  return (
    name.toLowerCase().includes(wanted) ||
    username.toLowerCase().includes(wanted) ||
    public_email?.toLowerCase() === wanted
  );
}

/** Entries without a value come before others, and so last in descending orders. */
function compareKeys(one: Key, other: Key): number {
  if (one === other) return 0;
  if (one === null) return -1;
  if (other === null) return 1;
  return one < other ? -1 : 1;
}
