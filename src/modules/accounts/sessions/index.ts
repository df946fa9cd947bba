import { deletedWithUser } from "../../core/users/index.ts";
import { defineModule } from "../../kernel/module.ts";
import { sessions, signInCodes } from "./records.ts";
import { sessionSweep } from "./removal.ts";
import { SignIns } from "./sign-in-rate.ts";

export { sessionCookieOf } from "./cookie.ts";
export { findSession, recordSessionUse, requireOwnPage, startSession } from "./service.ts";
export { addressWithCode, insertSignInCode } from "./service-sign-in-codes.ts";
export { SignIns } from "./sign-in-rate.ts";

export const sessionsModule = defineModule({
  name: "sessions",
  tag: "Sessions",
  about: { Sessions: "Sign-in of browsers." },
  areas: ["-/session", "-/sessions", "-/sign-in-codes"],
  operations: async () => (await import("./operations.ts")).sessionOperations,
  samples: async () => (await import("./samples.ts")).sessionSamples,
  collections: [sessions, signInCodes],
  cron: [sessionSweep],
  services: [SignIns],
  on: [deletedWithUser(sessions), deletedWithUser(signInCodes)],
});
