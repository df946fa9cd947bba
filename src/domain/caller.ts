import { isLoopback } from "../lib/ip-address.ts";
import type { Scope } from "./scopes.ts";

/** The fields of the signed-in user that policies read. A user record fits it. */
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

/** The areas that an operation may open to job tokens of other projects. `job`: operations about the job itself. */
export type JobTokenReach = "job" | "builds" | "repository" | "packages" | "container_registry" | "releases";

/** The running job whose token was sent; the user is the one who started it (job-token-scope 5). */
export interface CallerJob {
  readonly id: number;
  /** The project that the job is in. */
  readonly projectId: number;
  /** The area that the operation belongs to. */
  readonly asksFor: JobTokenReach;
  /** Whether the operation changes nothing. */
  readonly isReading: boolean;
}

/** The request, as far as it is no parameter of its operation. */
export interface SentRequest {
  /** Base of the URLs that the client knows, without a trailing slash. */
  readonly baseUrl: string;
  readonly request: { readonly headers: Pick<Headers, "get"> };
}

/** The caller of an operation. With sudo, `user` is the impersonated one (users-and-auth 2). */
export interface Caller {
  readonly user: CallerUser | undefined;
  /** undefined for job tokens, too. */
  readonly token: CallerToken | undefined;
  /** Left out without the token of a job. */
  readonly job?: CallerJob | undefined;
  /** Left out where no session of a browser was accepted. */
  readonly session?: { readonly id: number } | undefined;
  /** Peer address, as audit events keep it. */
  readonly ipAddress: string | null;
  /**
   * Throws the error that the request would get now, such as for a token that was revoked meanwhile. Called before each
   * change of a request that has waited (`confirmWork`). Left out for anonymous callers.
   */
  readonly confirm?: () => void;
  /** Left out for callers without a request. */
  readonly sent?: SentRequest;
}

/** A caller whom the operation's `who` has already accepted as a user. */
export interface SignedInCaller extends Caller {
  readonly user: CallerUser;
}

export function isSignedIn(caller: Caller): caller is SignedInCaller {
  return caller.user !== undefined;
}

/**
 * The person at the command line, who may write the data folder of a stopped store: acts as an administrator without an
 * account. No user has this id.
 */
export const operator: SignedInCaller = {
  user: { id: -1, username: "", name: "", email: "", is_admin: true, is_auditor: false, external: false },
  token: undefined,
  ipAddress: null,
};

/** The cause of a change that no request makes: periodic work, or a job whose caller is not known any more. */
export const theServer: Caller = { user: undefined, token: undefined, ipAddress: null };

/** The account that records and audit events name; undefined for the operator and for callers who did not sign in. */
export function accountOf({ user }: Caller): CallerUser | undefined {
  return user === operator.user ? undefined : user;
}

/** A caller who came with the token of a job. */
export interface JobCaller extends SignedInCaller {
  readonly job: CallerJob;
}

/** Each of these marks a request that was forwarded, or that a page of another origin made a browser send. */
const foreignHeaders = [
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
  "forwarded",
  "via",
  "origin",
];

const ownNames = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i;

/**
 * Whether a process of this machine asks for itself: not a proxy on it, whose clients know it by another name or which
 * says that it forwards, and not a page that a browser here has open.
 */
export function isFromThisMachine({ ipAddress, sent }: Caller): boolean {
  if (!isLoopback(ipAddress) || sent === undefined) return false;
  const { headers } = sent.request;
  return ownNames.test(headers.get("host") ?? "") && foreignHeaders.every((name) => headers.get(name) === null);
}
