import type { TObject, TSchema } from "@sinclair/typebox";
import type { AccessLevel } from "../../domain/access-level.ts";
import type { Caller, JobCaller, JobTokenReach, SignedInCaller } from "../../domain/caller.ts";
import type { Edition } from "../../domain/edition.ts";
import type { Failure, FailureKind } from "../../domain/failure.ts";
import type { Page, PageRequest } from "../../domain/page.ts";
import type { ParameterRule, ParametersOf } from "../../domain/parameters.ts";
import type { Scope } from "../../domain/scopes.ts";
import type { DateTime } from "../../lib/datetime.ts";
import type { Context } from "./context.ts";
import type { RawBody, RawRequest, RequestHead } from "./raw-request.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * The callers of an operation. Every operation says so; the permission matrix test and the API reference read it.
 * `administrator` is checked after the parameters, `administrator_first` before (users-and-auth 1.2: "on the token
 * operations the admin check comes first"). `job`: only a running job, with its token.
 */
export type AccessRule = "anyone" | "signed_in" | "administrator" | "administrator_first" | "job" | InSource;

/**
 * A caller with a level in the group or project that the path's `id` names, by number or full path. A caller who cannot
 * see it gets its 404, one with a lower level 403; both after the parameters were checked, unless said otherwise. `N`
 * is the name of the record that the handler gets, and `R` its type.
 */
export interface InSource<
  N extends "group" | "project" = "group" | "project",
  R = unknown,
  A extends boolean = boolean,
> {
  readonly in: N;
  /** The effective level that it takes; `none`: it is enough to see it. */
  readonly level: AccessLevel;
  /** It takes the right to read the labels and milestones of the group or project. */
  readonly isForReaders: boolean;
  /** Public ones are open to anonymous callers, too. */
  readonly isAnonymousWelcome: A;
  /** Anonymous callers who do not see it are asked to sign in: many tools send credentials only then. */
  readonly asksForLogin: boolean;
  /** Other checks come before that of the level: the handler makes it, with `requireLevel`. */
  readonly isLevelCheckedLate: boolean;
  /** Source and level are checked before the parameters. */
  readonly isCheckedFirst: boolean;
  /** Has no value: it carries the type. */
  readonly record?: R;
}

/** Whether anonymous callers may call. */
export function isAnonymousWelcome(who: AccessRule): boolean {
  return typeof who === "string" ? who === "anyone" : who.isAnonymousWelcome;
}

/** The orders of a keyset list; `defaults` apply where the request gives none (rest-conventions 7.3). */
export interface KeysetSupport {
  readonly orders: readonly { readonly orderBy: string; readonly sort: readonly ("asc" | "desc")[] }[];
  readonly defaults: { readonly orderBy: string; readonly sort: "asc" | "desc" };
  /**
   * The parameter that asks for the next page: `cursor` unless said, `page_token`, or the filters `id_after` and
   * `id_before`.
   */
  readonly continuation?: "cursor" | "page_token" | "id";
  /** There are no other pages: `pagination=keyset` is not needed. */
  readonly isAlways?: true;
}

/** Successes without a form of their own. */
export type PlainAnswer =
  | {
      readonly kind: "ok";
      readonly body: TSchema;
      /** HEAD asks only whether the thing is there: 204 in the place of the headers of GET. */
      readonly isHeadEmpty?: true;
    }
  | { readonly kind: "created"; readonly body: TSchema }
  /** Without a body of its own, the answer says `202 Accepted`. */
  | { readonly kind: "accepted"; readonly body?: TSchema }
  | { readonly kind: "nothing" };

/** A success that an operation may end in, and the headers of its own by their names, each with what it says. */
export interface PossibleResponse {
  readonly answer: PlainAnswer;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Bytes of another type; the handler returns `FileContent`. A client may reuse them for `maxAgeS` seconds; 0: it asks
 * each time, and gets 304 when its copy is current. `hasRanges`: the content is a `Blob`, of which clients may request
 * ranges.
 */
export interface FileAnswer {
  readonly kind: "file";
  readonly maxAgeS: number;
  readonly hasRanges?: true;
}

/** The form of a successful response. The status follows from the kind; `http/responses` alone knows which. */
export type Answer =
  | PlainAnswer
  | FileAnswer
  | {
      readonly kind: "page";
      readonly item: TSchema;
      readonly keyset?: KeysetSupport;
      /** The list is not in the store: no answer is cached, and the handler may return `FileContent` in its place. */
      readonly isOutsideStore?: true;
      /** The record type whose offset pages end at the deepest offset (rest-conventions 7.2). */
      readonly deepestOffsetOf?: string;
    }
  | { readonly kind: "redirect" }
  /** One of several successes, or one with headers of its own; the handler returns the `ResponseVariant`. */
  | { readonly kind: "outcomes"; readonly outcomes: readonly PossibleResponse[] };

export const ok = (body: TSchema, options: { readonly isHeadEmpty?: true } = {}): PlainAnswer => ({
  kind: "ok",
  body,
  ...options,
});
export const created = (body: TSchema): PlainAnswer => ({ kind: "created", body });
export const accepted = (body?: TSchema): PlainAnswer => ({
  kind: "accepted",
  ...(body === undefined ? {} : { body }),
});
export const noContent = (): PlainAnswer => ({ kind: "nothing" });
/** The handler returns the address. */
export const redirect = (): Answer => ({ kind: "redirect" });
export const file = (options: Omit<FileAnswer, "kind">): Answer => ({ kind: "file", ...options });
export const oneOfResponses = (...outcomes: readonly PossibleResponse[]): Answer => ({ kind: "outcomes", outcomes });
export const pageOf = (
  item: TSchema,
  options: { keyset?: KeysetSupport; deepestOffsetOf?: string; isOutsideStore?: true } = {},
): Answer => ({ kind: "page", item, ...options });

/** One call of an operation: checked parameters, the accepted caller, and the context. */
export type Call<P, W extends AccessRule> = SourceFor<W> & {
  readonly context: Context;
  readonly caller: CallerFor<W>;
  readonly params: P;
  /** All parameters of query and body, declared or not, before they are read by their types. */
  readonly rawParams: Readonly<Record<string, unknown>>;
  /** Meant for operations that answer a page; the first page elsewhere. */
  readonly page: PageRequest;
  /** Origin of every URL in the answer, without a trailing slash. */
  readonly baseUrl: string;
  /** A DELETE may say until when it knows what it deletes; see `requireUnmodified`. */
  readonly unmodifiedSince: DateTime | undefined;
  readonly raw: RawRequest;
};

type CallerFor<W extends AccessRule> = W extends "anyone" | { readonly isAnonymousWelcome: true }
  ? Caller
  : W extends "job"
    ? JobCaller
    : SignedInCaller;

/** The group or project of operations in one; the caller sees it. */
type SourceFor<W extends AccessRule> = W extends InSource<infer N, infer R> ? { readonly [K in N]: R } : unknown;

/** The fields that fewer than ten operations have: how HTTP treats their requests. */
export interface HttpOptions {
  /** A part that a server may have: without it the server does not know the route. */
  readonly partOf?: "console" | "sandbox";
  /**
   * The handler reads the session of the browser: it is no credential, so a user who signs in again may still have one.
   */
  readonly readsSessionItself?: true;
  /**
   * Tools that know nothing of this API send here: no access token means anything, and errors are a status without a body
   * (alerts A.2).
   */
  readonly isReceiver?: true;
  /**
   * True when the head of a request identifies its sender in another way than by an access token or the token of a
   * running job. The server reads at most a mebibyte from strangers.
   */
  knowsSender?(context: Context, head: RequestHead): boolean;
  /** Throws the error for a stranger's larger body, by the head of the request; without it, that is a bare 401 or 413. */
  refuseStranger?(context: Context, head: RequestHead): void;
  /** Message for callers without the right, in place of `403 Forbidden`. */
  readonly forbiddenText?: string;
  /** The plain text of the 403 for a token without the scope, for clients that show people nothing else. */
  readonly insufficientScopeText?: string;
  /** Signing in: neither the write quota nor low memory refuses it. */
  readonly isSignIn?: true;
  /** A setting with the requests that a user may make here in ten minutes; administrators are not counted. */
  readonly requestLimit?: "users_get_by_id_limit";
  /** A token that was rotated before and is used here again was stolen: the newest of its family is revoked. */
  readonly detectsTokenReuse?: true;
  /** Seconds that its answer may wait for an event. Without it, silent connections are closed sooner. */
  readonly longPollSeconds?: number;
}

/**
 * One route, read top to bottom as a sentence of the contract. The table of all operations feeds routing,
 * parameter checks, the API reference and the permission matrix, so that none of them can disagree.
 */
export interface Operation<P extends TObject = TObject, W extends AccessRule = AccessRule> {
  readonly method: Method;
  /**
   * Below `/api/v4`, parameters as `:name`; each must be declared in `params`. One parameter may be `*name`: it
   * takes one segment or more, whose slashes are no `%2F`, and may be followed by a fixed end, as in `/*path.git/HEAD`. A
   * parameter may be the end of a segment, as in `/archive.:format`.
   */
  readonly path: string;
  /** The path is the whole one: pictures, uploads and receivers are no part of the API. */
  readonly root?: true;
  readonly summary: string;
  readonly who: W;
  /**
   * The token may be the password of HTTP's own Basic credentials, which is all that git and other tools know; the text is
   * the realm that they are asked for with.
   */
  readonly basicRealm?: string;
  /**
   * The token of a running job does as that of its user, for this part of the project in the path, which is admitted by
   * `getProject` (job-token-scope 5). `itself`: the handler looks at such tokens. Left out, job tokens say nothing.
   */
  readonly takesJobToken?: JobTokenReach | "itself";
  /** Another protocol than that of the API is spoken here. */
  readonly errorFormat?: ErrorFormat;
  /** Lowest edition that has the operation; left out for all. */
  readonly tier?: Edition;
  /** Lower editions do not know the route at all, and answer 404 where others answer 403. */
  readonly isUnknownBelowTier?: true;
  /** Scopes that do beside `api` (and `read_api` for GET); `any` for what every token may do. */
  readonly scopes?: readonly Scope[] | "any";
  readonly params: P;
  readonly rules?: readonly ParameterRule[];
  /** Parameters unless said; `ignored`: the body is not read. */
  readonly body?: RawBody | "ignored";
  readonly http?: HttpOptions;
  readonly answer: Answer;
  /** Errors that do not follow from the rest of the declaration; the API reference lists them. */
  readonly failures?: readonly FailureKind[];
  /** Planned for removal in v5, still served (rest-conventions 4). */
  readonly deprecated?: true;
  handle(call: Call<ParametersOf<P>, W>): unknown;
}

/** The form of errors for clients of another protocol. */
export interface ErrorFormat {
  /** Headers of every answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** undefined stands for an unexpected error. */
  failureBody(failure: Failure | undefined): object;
}

/** A tag of the API reference: operations under a name for people. */
export interface ApiTag {
  readonly name: string;
  readonly about?: string;
  readonly operations: readonly Operation[];
}

/** `:name` or `*name`, wherever one stands in the path of an operation. */
const pathParameter = /[:*]([a-z_]+)/g;

/** Names of the path parameters, by their places. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(pathParameter)].map((match) => match[1] as string);
}

/** The path with something else in the place of each parameter. */
export function replacePathParameters(path: string, replacement: (name: string) => string): string {
  return path.replaceAll(pathParameter, (_, name: string) => replacement(name));
}

/** Whether one of the parameters takes several segments, or a part of one: routers know neither. */
export function isDeep({ path }: Operation): boolean {
  return /\*|[^/]:/.test(path);
}

/** Ties the types of one operation together; the table holds them without their parameter types. */
export function operation<P extends TObject, W extends AccessRule>(declared: Operation<P, W>): Operation {
  return declared as unknown as Operation;
}

/** The return value of a handler whose operation answers a file. */
export interface FileContent {
  readonly contentType: string;
  /**
   * A `Blob` is a file that is sent from the disk, a stream is sent as it comes and ends the connection when it
   * fails; their `ETag` is among the headers.
   */
  readonly content: string | Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The return value of a handler of an operation with `outcomes`: one of the declared ones. */
export interface ResponseVariant {
  readonly kind: PlainAnswer["kind"];
  /** Left out where the kind has none of the handler's. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The return value of a handler whose operation answers a page. */
export type AnyPage = Page<unknown>;
