import { isLoopback } from "./ip-address.ts";
import type { Scope } from "./scopes.ts";

/** What policies may ask of the signed-in user. A user record fits it. */
export interface CallerUser {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly email: string;
  readonly is_admin: boolean;
  readonly is_auditor: boolean;
  readonly external: boolean;
}

/** The credentials that were accepted. */
export interface CallerToken {
  readonly id: number;
  readonly scopes: readonly Scope[];
}

/** The request, as far as it is no parameter of its operation. */
export interface SentRequest {
  /** Base of the URLs that the client knows, without a trailing slash. */
  readonly baseUrl: string;
  readonly request: { readonly headers: Pick<Headers, "get"> };
}

/** Who is asking. With sudo, `user` is the impersonated one (users-and-auth 2). */
export interface Caller {
  readonly user: CallerUser | undefined;
  readonly token: CallerToken | undefined;
  /** Peer address, as audit events keep it. */
  readonly ipAddress: string | null;
  /**
   * For the transaction of a handler that waited before it: throws what the request would be refused with now, such as
   * for a token that was revoked meanwhile. Left out where nobody signed in.
   */
  readonly confirm?: () => void;
  /** Left out where nobody sent one. */
  readonly sent?: SentRequest;
}

/** A caller whom the operation's `who` has already let in as somebody. */
export interface SignedInCaller extends Caller {
  readonly user: CallerUser;
}

const forwardingHeaders = ["x-forwarded-for", "x-real-ip", "forwarded"];

/** Whether a process of this machine asks for itself: not a proxy on it that nobody has declared to be one. */
export function isFromThisMachine({ ipAddress, sent }: Caller): boolean {
  return isLoopback(ipAddress) && !forwardingHeaders.some((name) => sent?.request.headers.get(name) != null);
}
