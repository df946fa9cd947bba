import type { Static } from "@sinclair/typebox";
import { accessLevelName } from "../../../../domain/access-level.ts";
import { Access, findSource, isLastOwner, sourcePathOf } from "../../../core/access/index.ts";
import { fullNameOf, projectNameOf } from "../../../core/namespaces/index.ts";
import { presentBasicUser } from "../../../core/users/index.ts";
import type { GroupRecord } from "../../../groups-and-projects/groups/records.ts";
import type { View } from "../../../kernel/view.ts";
import { isPerson } from "../policy.ts";
import type { MembershipRecord } from "../records.ts";
import type { BillableMember, BillableMembership } from "./schema.ts";
import type { BillableMemberEntry } from "./service-list.ts";

/** members-and-access 6: a user who takes a seat. */
export function presentBillable(
  { user, type }: BillableMemberEntry,
  view: View,
  { group }: { readonly group: GroupRecord },
): Static<typeof BillableMember> {
  const { context, caller } = view;
  const { store } = context;
  const access = context.get(Access);
  // A user becomes a member without being asked.
  const isShown = caller.user?.is_admin === true || caller.user?.id === user.id || !user.private_profile;
  return {
    ...presentBasicUser(user, view),
    email: caller.user?.is_admin === true ? user.email : user.public_email,
    last_activity_on: isShown ? user.last_activity_on : null,
    membership_type: type,
    removable: type === "group_member" || type === "project_member",
    created_at: isShown ? user.created_at : null,
    is_last_owner: isLastOwner(store, group.id, user.id, access.today, (id) => isPerson(context, id)),
    last_login_at: isShown ? user.current_sign_in_at : null,
  };
}

/** One of the memberships of a user who takes a seat. */
export function presentMembership(
  row: MembershipRecord,
  { context: { store }, baseUrl }: View,
): Static<typeof BillableMembership> {
  const source = findSource(store, { type: row.source_type, id: row.source_id });
  if (source === undefined) throw new Error(`membership ${row.id} is of nothing`);
  const path = sourcePathOf(store, source);
  const isGroup = "group" in source;
  return {
    id: row.id,
    source_id: row.source_id,
    source_full_name: isGroup ? fullNameOf(store, source.group.id) : projectNameOf(store, source.project),
    source_members_url: isGroup ? `${baseUrl}/groups/${path}/-/group_members` : `${baseUrl}/${path}/-/project_members`,
    created_at: row.created_at,
    expires_at: row.expires_at,
    access_level: { string_value: accessLevelName(row.access_level), integer_value: row.access_level },
  };
}
