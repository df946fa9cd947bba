import { bearerOf, passwordOf } from "../../domain/authorization.ts";
import { sessionCookieOf } from "../../modules/accounts/sessions/index.ts";
import type { Operation } from "../../modules/kernel/operation.ts";
import { ownValue, type RawValues } from "../params/values.ts";

/** The credentials of a request. A Basic password may be any kind of token; other sources take one kind. */
export interface Credentials {
  readonly kind: "access" | "job" | "password" | "session";
  readonly secret: string;
}

/** Returns the credentials. Only the first source that has a token counts (users-and-auth 1.1). */
export function credentialsOf(
  { headers }: Request,
  values: RawValues,
  { basicRealm, takesJobToken, who, http }: Operation,
): Credentials | undefined {
  const authorization = headers.get("authorization");
  const first = textParameter(values, "private_token") ?? (headers.get("private-token") || bearerOf(authorization));
  if (first !== undefined) return { kind: "access", secret: first };
  const password = basicRealm === undefined ? undefined : passwordOf(authorization);
  if (password !== undefined) return { kind: "password", secret: password };
  const last = textParameter(values, "access_token");
  if (last !== undefined) return { kind: "access", secret: last };
  // Other operations ignore the token of a job, good or bad.
  const isOfJob = who === "job" || (takesJobToken !== undefined && takesJobToken !== "itself");
  const ofJob = isOfJob ? headers.get("job-token") || textParameter(values, "job_token") : undefined;
  if (ofJob !== undefined) return { kind: "job", secret: ofJob };
  const ofSession = http?.readsSessionItself === true ? undefined : sessionCookieOf(headers.get("cookie"));
  return ofSession === undefined ? undefined : { kind: "session", secret: ofSession };
}

/**
 * Returns a parameter; undefined for an empty text. Also returns a value that is not a text, so that no later source
 * replaces it.
 */
export function textParameter(values: RawValues, name: string): string | undefined {
  const value = ownValue(values, name);
  if (value === undefined || value === null || value === "") return undefined;
  return typeof value === "object" ? noText : String(value);
}

/** A value that is neither a token nor a username. */
const noText = "(no text)";
