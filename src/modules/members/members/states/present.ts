import type { SignedInCaller } from "../../../../domain/caller.ts";
import type { MembershipRecord } from "../../../core/access/index.ts";
import { getUser, presentBasicUser } from "../../../core/users/index.ts";
import type { Context } from "../../../kernel/context.ts";

/** members-and-access 6. Nobody is invited by e-mail here; administrators alone see addresses that are not public. */
export function presentPending({ store }: Context, caller: SignedInCaller, row: MembershipRecord, baseUrl: string) {
  const user = getUser(store, row.user_id);
  const { name, username, web_url, avatar_url } = presentBasicUser(user, baseUrl);
  return {
    id: row.id,
    name,
    username,
    email: caller.user.is_admin ? user.email : user.public_email,
    web_url,
    avatar_url,
    approved: row.state === "active",
    invited: false,
  };
}
