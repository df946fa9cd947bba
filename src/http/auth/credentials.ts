import { bearerOf, passwordOf } from "../../domain/authorization.ts";
import type { Operation } from "../../modules/kernel/operation.ts";
import { ownValue, type RawValues } from "../params/values.ts";

/** What somebody sent to say who they are. Only a password of Basic may be either kind of token. */
export interface Credentials {
  readonly kind: "access" | "job" | "password";
  readonly secret: string;
}

/** The first place that holds a token decides alone (users-and-auth 1.1). */
export function credentialsOf(
  { headers }: Request,
  values: RawValues,
  { basicRealm, takesJobToken }: Operation,
): Credentials | undefined {
  const authorization = headers.get("authorization");
  const first = textOf(values, "private_token") ?? (headers.get("private-token") || bearerOf(authorization));
  if (first !== undefined) return { kind: "access", secret: first };
  const password = basicRealm === undefined ? undefined : passwordOf(authorization);
  if (password !== undefined) return { kind: "password", secret: password };
  const last = textOf(values, "access_token");
  if (last !== undefined) return { kind: "access", secret: last };
  if (takesJobToken === "itself") return undefined;
  const ofJob = headers.get("job-token") || textOf(values, "job_token");
  return ofJob === undefined ? undefined : { kind: "job", secret: ofJob };
}

/** An empty text counts as absent. What is no text is given all the same: it must not fall through to a later place. */
export function textOf(values: RawValues, name: string): string | undefined {
  const value = ownValue(values, name);
  if (value === undefined || value === null || value === "") return undefined;
  return typeof value === "object" ? noText : String(value);
}

/** Neither a token nor a username. */
const noText = "(no text)";
