import type { Caller } from "../../../domain/caller.ts";
import { presentBasicUser } from "../../core/users/index.ts";
import { csrfTokenOf } from "./cookie.ts";
import { endOf, type LiveSession, type OwnSession } from "./service.ts";

/** The session that a request was made with. */
export function presentOwnSession({ record, user, secret }: OwnSession, baseUrl: string) {
  const { email, is_admin, is_auditor } = user;
  return {
    user: { ...presentBasicUser(user, baseUrl), email, is_admin, is_auditor },
    csrf_token: csrfTokenOf(secret),
    expires_at: endOf(record),
  };
}

/** A session in a list. */
export function presentSession({ record, token }: LiveSession, caller: Caller) {
  return {
    id: record.id,
    user_id: record.user_id,
    user_agent: record.user_agent,
    ip_address: record.ip_address,
    created_at: record.created_at,
    last_used_at: record.last_used_at,
    expires_at: endOf(record),
    scopes: token?.scopes ?? null,
    current: caller.session?.id === record.id,
  };
}
