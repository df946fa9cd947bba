import { Type } from "@sinclair/typebox";
import { mapPage } from "../../../domain/page.ts";
import { idInPath } from "../../../domain/parameters.ts";
import { created, noContent, ok, operation, pageOf } from "../../kernel/operation.ts";
import { presentAccessToken, presentNewAccessToken } from "./present.ts";
import { AccessToken, CreateImpersonationToken, ListImpersonationTokens } from "./schema.ts";
import { createImpersonationToken, getImpersonationToken, revokeImpersonationToken } from "./service-impersonation.ts";
import { listImpersonationTokens } from "./service-list.ts";

const path = "/users/:user_id/impersonation_tokens";
const TokenInPath = Type.Object({
  user_id: idInPath("user id"),
  impersonation_token_id: idInPath("impersonation token id"),
});

/** users-and-auth 18. */
export const impersonationTokenOperations = [
  operation({
    method: "GET",
    path,
    summary: "List the impersonation tokens of a user",
    who: "administrator_first",
    scopes: ["read_user"],
    params: ListImpersonationTokens,
    answer: pageOf(AccessToken),
    handle(call) {
      const { context, params, page } = call;
      return mapPage(listImpersonationTokens(context, params, page), (token) => presentAccessToken(token, call));
    },
  }),

  operation({
    method: "GET",
    path: `${path}/:impersonation_token_id`,
    summary: "Get an impersonation token of a user",
    who: "administrator_first",
    scopes: ["read_user"],
    params: TokenInPath,
    answer: ok(AccessToken),
    handle(call) {
      const { context, params } = call;
      return presentAccessToken(getImpersonationToken(context.store, params), call);
    },
  }),

  operation({
    method: "POST",
    path,
    summary: "Create an impersonation token for a user",
    who: "administrator_first",
    params: CreateImpersonationToken,
    answer: created(AccessToken),
    failures: ["unprocessable"],
    handle(call) {
      const { context, caller, params } = call;
      return presentNewAccessToken(createImpersonationToken(context, caller, params), call);
    },
  }),

  operation({
    method: "DELETE",
    path: `${path}/:impersonation_token_id`,
    summary: "Revoke an impersonation token of a user",
    who: "administrator_first",
    params: TokenInPath,
    answer: noContent(),
    handle({ context, caller, params, unmodifiedSince }) {
      revokeImpersonationToken(context, caller, params, unmodifiedSince);
    },
  }),
];
