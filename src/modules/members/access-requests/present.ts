import type { Static } from "@sinclair/typebox";
import { getUser, presentBasicUser } from "../../core/users/index.ts";
import type { View } from "../../kernel/view.ts";
import type { AccessRequestRecord } from "./records.ts";
import type { AccessRequest, NewAccessRequest } from "./schema.ts";

/** members-and-access 3.2, in lists. */
export function presentRequest(request: AccessRequestRecord, view: View): Static<typeof AccessRequest> {
  const {
    context: { store },
  } = view;
  return { ...presentBasicUser(getUser(store, request.user_id), view), requested_at: request.created_at };
}

/** The answer to the requester. */
export function presentNewRequest(request: AccessRequestRecord, view: View): Static<typeof NewAccessRequest> {
  return { ...presentRequest(request, view), created_at: request.created_at };
}
