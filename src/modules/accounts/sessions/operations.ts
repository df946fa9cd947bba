import { Type } from "@sinclair/typebox";
import type { Caller, SentRequest } from "../../../domain/caller.ts";
import { forbidden, notFound, unauthenticated } from "../../../domain/failure.ts";
import { mapPage, pageOfAll } from "../../../domain/page.ts";
import { findUser, findUserByUsername, getUser } from "../../core/users/index.ts";
import { created, noContent, ok, oneOfResponses, operation, pageOf } from "../../kernel/operation.ts";
import { cookieFor, cookieRemoval } from "./cookie.ts";
import { presentOwnSession, presentSession } from "./present.ts";
import {
  CreateSession,
  CreateSignInCode,
  ListSessions,
  OwnSession,
  Session,
  SessionInPath,
  SignInCode,
} from "./schema.ts";
import { deleteSession, endSession, liveSessionsOf, requireOwnOrigin, requireOwnPage, sessionOf } from "./service.ts";
import { signIn } from "./service-sign-in.ts";
import { addressWithCode, insertSignInCode } from "./service-sign-in-codes.ts";

const setsCookie = { "Set-Cookie": "the session, as `outpost_session`" };

/** console 1. */
export const sessionOperations = [
  operation({
    method: "POST",
    path: "/-/session",
    root: true,
    http: { partOf: "console", readsSessionItself: true, isSignIn: true },
    summary: "Sign in",
    who: "anyone",
    scopes: "any",
    params: CreateSession,
    answer: oneOfResponses({ answer: created(OwnSession), headers: setsCookie }),
    failures: ["invalid", "unauthenticated", "forbidden", "insufficient_scope", "too_many"],
    async handle({ context, caller, params, baseUrl }) {
      const sent = sentOf(caller);
      requireOwnOrigin(sent);
      const session = await signIn(context, { ...caller, sent }, params);
      return {
        kind: "created",
        body: presentOwnSession(session, { baseUrl }),
        headers: { "Set-Cookie": cookieFor(session.secret, baseUrl) },
      };
    },
  }),

  operation({
    method: "GET",
    path: "/-/session",
    root: true,
    http: { partOf: "console", readsSessionItself: true },
    summary: "Get the session of the browser",
    who: "anyone",
    scopes: "any",
    params: Type.Object({}),
    answer: ok(OwnSession),
    failures: ["unauthenticated"],
    handle({ context, caller, baseUrl }) {
      const session = sessionOf(context, sentOf(caller));
      if (session === undefined) throw unauthenticated();
      return presentOwnSession(session, { baseUrl });
    },
  }),

  operation({
    method: "DELETE",
    path: "/-/session",
    root: true,
    http: { partOf: "console", readsSessionItself: true },
    summary: "Sign out",
    who: "anyone",
    scopes: "any",
    params: Type.Object({}),
    answer: oneOfResponses({ answer: noContent(), headers: { "Set-Cookie": "an end to `outpost_session`" } }),
    failures: ["unauthenticated", "forbidden"],
    handle({ context, caller, baseUrl }) {
      const sent = sentOf(caller);
      const session = sessionOf(context, sent);
      if (session === undefined) throw unauthenticated();
      requireOwnPage(sent, session.secret);
      deleteSession(context, session.record);
      return { kind: "nothing", headers: { "Set-Cookie": cookieRemoval(baseUrl) } };
    },
  }),

  operation({
    method: "GET",
    path: "/-/sessions",
    root: true,
    http: { partOf: "console" },
    summary: "List sessions",
    who: "signed_in",
    params: ListSessions,
    answer: pageOf(Session),
    failures: ["forbidden", "not_found"],
    handle({ context, caller, params, page }) {
      const userId = params.user_id ?? caller.user.id;
      if (userId !== caller.user.id && !caller.user.is_admin) throw forbidden();
      const all = liveSessionsOf(context, getUser(context.store, userId).id);
      return mapPage(pageOfAll(all, page), (session) => presentSession(session, { caller }));
    },
  }),

  operation({
    method: "DELETE",
    path: "/-/sessions/:id",
    root: true,
    http: { partOf: "console" },
    summary: "End a session",
    who: "signed_in",
    params: SessionInPath,
    answer: noContent(),
    handle({ context, caller, params }) {
      endSession(context, caller, params.id);
    },
  }),

  operation({
    method: "POST",
    path: "/-/sign-in-codes",
    root: true,
    http: { partOf: "console" },
    summary: "Create a one-time code that signs a user in to the console",
    who: "administrator",
    params: CreateSignInCode,
    answer: created(SignInCode),
    failures: ["not_found"],
    handle({ context, caller, params, baseUrl }) {
      const user = findUserByUsername(context.store, params.user) ?? findUser(context.store, Number(params.user));
      if (user === undefined) throw notFound("User");
      const { code, expiresAt } = context.store.transact((tx) => insertSignInCode(tx, context, caller, user));
      return { user_id: user.id, code, url: addressWithCode(baseUrl, code), expires_at: expiresAt };
    },
  }),
];

/** Callers of operations always sent a request. */
function sentOf({ sent }: Caller): SentRequest {
  if (sent === undefined) throw new Error("a caller without a request");
  return sent;
}
