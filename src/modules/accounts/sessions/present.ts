import type { Static } from "@sinclair/typebox";
import { presentBasicUser } from "../../core/users/index.ts";
import type { View } from "../../kernel/view.ts";
import { csrfTokenOf } from "./cookie.ts";
import type { OwnSession, Session } from "./schema.ts";
import { type BrowserSession, endOf, type LiveSession } from "./service.ts";

/** The session that a request was made with. */
export function presentOwnSession(
  { record, user, secret }: BrowserSession,
  view: Pick<View, "baseUrl">,
): Static<typeof OwnSession> {
  const { email, is_admin, is_auditor } = user;
  return {
    user: { ...presentBasicUser(user, view), email, is_admin, is_auditor },
    csrf_token: csrfTokenOf(secret),
    expires_at: endOf(record),
  };
}

/** A session in a list. */
export function presentSession(
  { record, token }: LiveSession,
  { caller }: Pick<View, "caller">,
): Static<typeof Session> {
  return {
    id: record.id,
    user_id: record.user_id,
    user_agent: record.user_agent,
    ip_address: record.ip_address,
    created_at: record.created_at,
    last_used_at: record.last_used_at,
    expires_at: endOf(record),
    scopes: token === undefined ? null : [...token.scopes],
    current: caller.session?.id === record.id,
  };
}
