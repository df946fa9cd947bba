import { Type } from "@sinclair/typebox";
import { mapPage } from "../../../domain/page.ts";
import { date, idInPath, nullable, optional } from "../../../domain/parameters.ts";
import { created, noContent, ok, operation, pageOf } from "../../kernel/operation.ts";
import { presentAccessToken, presentAccessTokenDetails, presentNewAccessToken } from "./present.ts";
import { AccessToken, CreateAccessToken, CreateOwnAccessToken, ListAccessTokens } from "./schema.ts";
import {
  createAccessToken,
  createOwnAccessToken,
  getAccessToken,
  getOwnAccessToken,
  revokeAccessToken,
} from "./service.ts";
import { listAccessTokens } from "./service-list.ts";
import { rotateAccessToken, rotateOwnAccessToken } from "./service-rotation.ts";

const Rotate = Type.Object({
  expires_at: optional(nullable(date({ description: "a week from today by default" }))),
});
const TokenInPath = Type.Object({ id: idInPath("access token id") });

export const accessTokenOperations = [
  operation({
    method: "GET",
    path: "/personal_access_tokens",
    summary: "List personal access tokens",
    who: "signed_in",
    params: ListAccessTokens,
    answer: pageOf(AccessToken),
    handle(call) {
      const { context, caller, params, page } = call;
      return mapPage(listAccessTokens(context, caller, params, page), (token) => presentAccessToken(token, call));
    },
  }),

  operation({
    method: "GET",
    path: "/personal_access_tokens/:id",
    summary: "Get a personal access token",
    who: "signed_in",
    params: TokenInPath,
    answer: ok(AccessToken),
    handle(call) {
      const { context, caller, params } = call;
      return presentAccessTokenDetails(getAccessToken(context.store, caller, params.id), call);
    },
  }),

  operation({
    method: "GET",
    path: "/personal_access_tokens/self",
    summary: "Get the current personal access token",
    who: "signed_in",
    scopes: "any",
    params: Type.Object({}),
    answer: ok(AccessToken),
    handle(call) {
      const { context, caller } = call;
      return presentAccessTokenDetails(getOwnAccessToken(context.store, caller), call);
    },
  }),

  operation({
    method: "POST",
    path: "/users/:user_id/personal_access_tokens",
    summary: "Create a personal access token for a user",
    who: "administrator_first",
    params: CreateAccessToken,
    answer: created(AccessToken),
    failures: ["unprocessable"],
    handle(call) {
      const { context, caller, params } = call;
      return presentNewAccessToken(createAccessToken(context, caller, params), call);
    },
  }),

  operation({
    method: "POST",
    path: "/user/personal_access_tokens",
    summary: "Create a personal access token for the current user",
    who: "signed_in",
    params: CreateOwnAccessToken,
    answer: created(AccessToken),
    failures: ["unprocessable"],
    handle(call) {
      const { context, caller, params } = call;
      return presentNewAccessToken(createOwnAccessToken(context, caller, params), call);
    },
  }),

  operation({
    method: "DELETE",
    path: "/personal_access_tokens/:id",
    summary: "Revoke a personal access token",
    who: "signed_in",
    params: TokenInPath,
    answer: noContent(),
    handle({ context, caller, params, unmodifiedSince }) {
      revokeAccessToken(context, caller, params.id, unmodifiedSince);
    },
  }),

  operation({
    method: "DELETE",
    path: "/personal_access_tokens/self",
    summary: "Revoke the current personal access token",
    who: "signed_in",
    scopes: "any",
    params: Type.Object({}),
    answer: noContent(),
    handle({ context, caller, unmodifiedSince }) {
      revokeAccessToken(context, caller, getOwnAccessToken(context.store, caller).id, unmodifiedSince);
    },
  }),

  operation({
    method: "POST",
    path: "/personal_access_tokens/:id/rotate",
    summary: "Rotate a personal access token",
    who: "signed_in",
    params: Type.Object({ ...TokenInPath.properties, ...Rotate.properties }),
    answer: ok(AccessToken),
    handle(call) {
      const { context, caller, params } = call;
      return presentNewAccessToken(rotateAccessToken(context, caller, params.id, params.expires_at), call);
    },
  }),

  operation({
    method: "POST",
    path: "/personal_access_tokens/self/rotate",
    summary: "Rotate the current personal access token",
    who: "signed_in",
    scopes: ["self_rotate"],
    http: { detectsTokenReuse: true },
    params: Rotate,
    answer: ok(AccessToken),
    handle(call) {
      const { context, caller, params } = call;
      return presentNewAccessToken(rotateOwnAccessToken(context, caller, params.expires_at), call);
    },
  }),
];
