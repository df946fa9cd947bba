import type { AccessRequestRecord } from "../../core/access/index.ts";
import { getUser, presentBasicUser } from "../../core/users/index.ts";
import type { Context } from "../../kernel/context.ts";

/** members-and-access 3.2, in lists. */
export function presentRequest({ store }: Context, request: AccessRequestRecord, baseUrl: string) {
  return { ...presentBasicUser(getUser(store, request.user_id), baseUrl), requested_at: request.created_at };
}

/** What the requester is answered. */
export function presentNewRequest(context: Context, request: AccessRequestRecord, baseUrl: string) {
  return { ...presentRequest(context, request, baseUrl), created_at: request.created_at };
}
