import { defineModule } from "../../kernel/module.ts";
import { deletedWithUser } from "../../kernel/user-removed-hook.ts";
import { sessionOperations } from "./operations.ts";
import { sessions, signInCodes } from "./records.ts";
import { removeSessionsOf, sessionSweep } from "./removal.ts";

export { sessionCookieOf } from "./cookie.ts";
export { type SessionRecord, sessions } from "./records.ts";
export { findSession, noteSessionUse, refuseForged, startSession } from "./service.ts";
export { addressWithCode, createSignInCode } from "./sign-in-codes.ts";
export { SignInRate } from "./sign-in-rate.ts";

export const sessionsModule = defineModule({
  name: "sessions",
  tag: "Sessions",
  operations: sessionOperations,
  collections: [sessions, signInCodes],
  cron: [sessionSweep],
  onUserDeleted: [deletedWithUser(removeSessionsOf)],
});
