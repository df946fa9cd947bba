import type { Static } from "@sinclair/typebox";
import type { SignedInCaller } from "../../../domain/caller.ts";
import { invalid, notFound, requireUnmodified } from "../../../domain/failure.ts";
import { scopes as allScopes, type Scope } from "../../../domain/scopes.ts";
import type { Store } from "../../../store/index.ts";
import { getUser } from "../../core/users/index.ts";
import type { Context } from "../../kernel/context.ts";
import { type AccessTokenRecord, accessTokens } from "./records.ts";
import type { CreateImpersonationToken } from "./schema.ts";
import { createAccessToken, type NewAccessToken, revokeInTransaction } from "./service.ts";

/** A token and its user, as a path names them. */
export interface ImpersonationTokenPath {
  readonly user_id: number;
  readonly impersonation_token_id: number;
}

/** Throws 404 for the user, and for everything that is not an impersonation token of theirs (users-and-auth 18). */
export function getImpersonationToken(store: Store, path: ImpersonationTokenPath): AccessTokenRecord {
  const user = getUser(store, path.user_id);
  const token = store.of(accessTokens).get(path.impersonation_token_id);
  if (token === undefined || !token.impersonation || token.user_id !== user.id) throw notFound("Impersonation Token");
  return token;
}

function isScope(text: string): text is Scope {
  return allScopes.some((scope) => scope === text);
}

/** `POST /users/:user_id/impersonation_tokens`. Throws what `createAccessToken` throws. */
export function createImpersonationToken(
  context: Context,
  caller: SignedInCaller,
  { scopes: given = [], ...params }: Static<typeof CreateImpersonationToken>,
): NewAccessToken {
  const scopes = given.filter((scope) => isScope(scope));
  if (scopes.length < given.length) throw invalid({ scopes: ["can only contain available scopes"] });
  return createAccessToken(context, caller, { ...params, scopes }, { impersonation: true });
}

/** `DELETE /users/:user_id/impersonation_tokens/:impersonation_token_id`. Throws 404, and 412 for one that was changed. */
export function revokeImpersonationToken(
  context: Context,
  caller: SignedInCaller,
  path: ImpersonationTokenPath,
  unmodifiedSince: string | undefined,
): void {
  const token = getImpersonationToken(context.store, path);
  requireUnmodified(token, unmodifiedSince);
  if (token.revoked) return;
  context.store.transact((tx) => revokeInTransaction(tx, context, caller, token));
}
