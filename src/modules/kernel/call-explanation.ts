import type { AccessLevel } from "../../domain/access-level.ts";

/** A call that a user may want to make. */
export interface CallQuestion {
  /** undefined: an anonymous caller. */
  readonly userId: number | undefined;
  readonly method: string;
  /** Below `/api/v4`, encoded as in a request. */
  readonly path: string;
}

/** The rule that the table of operations has for a call, and its consequence for one user. */
export interface CallExplanation {
  readonly user: string;
  readonly operation: { readonly method: string; readonly path: string; readonly summary: string };
  /** The callers that the operation allows. */
  readonly rule: string;
  /** In the group or project; null where the rule asks for none, or where it is not to be seen. */
  readonly role: { readonly access_level: AccessLevel; readonly name: string } | null;
  /** Each membership that counts there, the one that decides first. */
  readonly ways: readonly { readonly access_level: AccessLevel; readonly name: string; readonly from: string }[];
  readonly allowed: boolean;
  /** Why not; or what may still be in the way. */
  readonly reason: string;
}
