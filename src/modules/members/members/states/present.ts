import type { Static } from "@sinclair/typebox";
import { getUser, presentBasicUser } from "../../../core/users/index.ts";
import type { View } from "../../../kernel/view.ts";
import type { MembershipRecord } from "../records.ts";
import type { PendingMember } from "./schema.ts";

/** members-and-access 6. There are no invitations by e-mail; administrators alone see addresses that are not public. */
export function presentPending(row: MembershipRecord, view: View): Static<typeof PendingMember> {
  const {
    context: { store },
    caller,
  } = view;
  const user = getUser(store, row.user_id);
  const { name, username, web_url, avatar_url } = presentBasicUser(user, view);
  return {
    id: row.id,
    name,
    username,
    email: caller.user?.is_admin === true ? user.email : user.public_email,
    web_url,
    avatar_url,
    approved: row.state === "active",
    invited: false,
  };
}
