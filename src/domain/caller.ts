import { isLoopback } from "../lib/ip-address.ts";
import type { Scope } from "./scopes.ts";

/** The fields of the signed-in user that policies read. A user record has them. */
export interface CallerUser {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly email: string;
  readonly is_admin: boolean;
  readonly is_auditor: boolean;
  readonly external: boolean;
}

/** The accepted credentials. */
export interface CallerToken {
  readonly id: number;
  readonly scopes: readonly Scope[];
}

/** The areas that an operation may open to job tokens of other projects. `job` is for operations about the job itself. */
export type JobTokenReach = "job" | "builds" | "repository" | "packages" | "container_registry" | "releases";

/** The running job whose token the request has. The user is the one who started it (job-token-scope 5). */
export interface CallerJob {
  readonly id: number;
  /** The project of the job. */
  readonly projectId: number;
  /** The area of the operation. */
  readonly asksFor: JobTokenReach;
  /** True when the operation changes nothing. */
  readonly isReading: boolean;
}

/** The parts of the request that are no parameters. */
export interface SentRequest {
  /** The base of the URLs in answers, without a trailing slash. */
  readonly baseUrl: string;
  readonly request: { readonly headers: Pick<Headers, "get"> };
}

/** The caller of an operation. With sudo, `user` is the impersonated user (users-and-auth 2). */
export interface Caller {
  readonly user: CallerUser | undefined;
  /** undefined also for job tokens. */
  readonly token: CallerToken | undefined;
  /** Present only for job tokens. */
  readonly job?: CallerJob | undefined;
  /** Present only for browser sessions. */
  readonly session?: { readonly id: number } | undefined;
  /** The peer address, for audit events. */
  readonly ipAddress: string | null;
  /**
   * Throws the error that the request would get now, such as for a revoked token. `confirmWork` calls it before each change
   * of a request that has waited. Absent for anonymous callers.
   */
  readonly confirm?: () => void;
  /** Absent for callers without a request. */
  readonly sent?: SentRequest;
}

/** A caller who has a user account. */
export interface SignedInCaller extends Caller {
  readonly user: CallerUser;
}

export function isSignedIn(caller: Caller): caller is SignedInCaller {
  return caller.user !== undefined;
}

/**
 * The user of the command line, who may write the data folder of a stopped store. Acts as an administrator without an
 * account. No user has this id.
 */
export const operator: SignedInCaller = {
  user: { id: -1, username: "", name: "", email: "", is_admin: true, is_auditor: false, external: false },
  token: undefined,
  ipAddress: null,
};

/** The caller of changes that no request makes: periodic work, or a background job whose caller is unknown. */
export const theServer: Caller = { user: undefined, token: undefined, ipAddress: null };

/** Returns the user for records and audit events; undefined for the operator and for anonymous callers. */
export function accountOf({ user }: Caller): CallerUser | undefined {
  return user === operator.user ? undefined : user;
}

/** A caller with the token of a job. */
export interface JobCaller extends SignedInCaller {
  readonly job: CallerJob;
}

/** Headers of a request that a proxy forwarded, or that a page of another origin made a browser send. */
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
 * True when a process of this machine sent the request. False for clients of a local proxy, whose request has another host
 * name or a forwarding header, and for a page in a local browser.
 */
export function isFromThisMachine({ ipAddress, sent }: Caller): boolean {
  if (!isLoopback(ipAddress) || sent === undefined) return false;
  const { headers } = sent.request;
  return ownNames.test(headers.get("host") ?? "") && foreignHeaders.every((name) => headers.get(name) === null);
}
