import type { MembershipRecord } from "../../access/index.ts";
import type { Context } from "../../context.ts";
import { getUser, presentBasicUser } from "../../users/index.ts";

/** members-and-access 6. Nobody is invited by e-mail here. */
export function presentPending({ store }: Context, row: MembershipRecord, baseUrl: string) {
  const user = getUser(store, row.user_id);
  const { name, username, web_url, avatar_url } = presentBasicUser(user, baseUrl);
  return {
    id: row.id,
    name,
    username,
    email: user.email,
    web_url,
    avatar_url,
    approved: row.state === "active",
    invited: false,
  };
}
