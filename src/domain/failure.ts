/** The kinds of errors, without HTTP. Only `http/responses/failures.ts` maps a kind to a status. */
export type FailureKind =
  | "unchanged"
  | "parameters"
  | "invalid"
  | "unauthenticated"
  | "invalid_token"
  | "insufficient_scope"
  | "forbidden"
  | "not_found"
  | "unknown_route"
  | "not_allowed"
  | "not_acceptable"
  | "conflict"
  | "captcha"
  | "precondition"
  | "unprocessable"
  | "range"
  | "too_large"
  | "too_slow"
  | "too_long"
  | "unsupported_type"
  | "too_many"
  | "unavailable"
  | "timeout"
  | "no_room";

/** The `message` of a model validation: texts per attribute, nested for embedded entities (rest-conventions 6). */
export interface AttributeErrors {
  readonly [attribute: string]: readonly string[] | AttributeErrors;
}

/** The body of an error answer. Clients see the key `message` or `error` (rest-conventions 1). */
export interface FailureBody {
  readonly message?:
    | string
    | readonly string[]
    | AttributeErrors
    | { readonly error: string; readonly base?: readonly string[] };
  readonly error?: string;
  readonly error_description?: string;
  readonly scope?: string;
  readonly needs_captcha_response?: true;
  readonly spam_log_id?: number;
  readonly captcha_site_key?: string;
  /** Why a change cannot be applied to a branch, and that it was only tried. */
  readonly error_code?: "empty" | "conflict";
  readonly dry_run?: "error";
  /** The errors in a text, each with its position. */
  readonly errors?: readonly object[];
  /** The checks, and the reasons why the server takes no requests, for administrators. */
  readonly reasons?: readonly string[];
  readonly checks?: object;
}

interface FailureOptions extends ErrorOptions {
  readonly retryAfterSeconds?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly isPlainText?: true;
  readonly isBareStatus?: true;
}

/** The error that operations throw on purpose. Any other error is a bug and answers 500. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly kind: FailureKind;
  readonly body: FailureBody;
  /** The seconds after which a client may try again. */
  readonly retryAfterSeconds: number | undefined;
  /** Headers of the answer, for protocols that need them. */
  readonly headers: Readonly<Record<string, string>>;
  /** True when the body is only the message, for clients that show no other format. */
  readonly isPlainText: boolean;
  /** The answer is the status alone, as a number. */
  readonly isBareStatus: boolean;

  constructor(kind: FailureKind, body: FailureBody, options: FailureOptions = {}) {
    super(describe(body), options);
    this.kind = kind;
    this.body = body;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.headers = options.headers ?? {};
    this.isPlainText = options.isPlainText === true;
    this.isBareStatus = options.isBareStatus === true;
  }
}

function describe(body: FailureBody): string {
  if (typeof body.message === "string") return body.message;
  return body.error ?? JSON.stringify(body.message ?? {});
}

/** Returns 304 without a body: the requested state exists already. */
export function unchanged(): Failure {
  return new Failure("unchanged", {});
}

/** Returns 400 for an invalid record, with a message of the contract or attribute errors. */
export function invalid(message: string | AttributeErrors): Failure {
  return new Failure("invalid", { message });
}

/** Returns 400 for a missing parameter that the value of another one requires. */
export function missing(name: string): Failure {
  return new Failure("parameters", { error: `${name} is missing`, message: `400 (Bad request) "${name}" not given` });
}

/** Redirects GET and HEAD of an earlier project path to the project's id (groups-and-projects 6). */
export class ProjectMoved extends Error {
  override readonly name = "ProjectMoved";
  readonly projectId: number;

  constructor(projectId: number) {
    super(`moved to ${projectId}`);
    this.projectId = projectId;
  }
}

/** Returns 401: the caller is anonymous, or the token is unknown. */
export function unauthenticated(): Failure {
  return new Failure("unauthenticated", { message: "401 Unauthorized" });
}

/** Returns 403, with a reason if given: the caller may see the resource, but not do this. */
export function forbidden(reason?: string): Failure {
  return new Failure("forbidden", { message: reason === undefined ? "403 Forbidden" : `403 Forbidden - ${reason}` });
}

/** Returns a 403 with a message of the contract instead of that of `forbidden`. */
export function forbiddenWith(message: string): Failure {
  return new Failure("forbidden", { message });
}

/** Returns 404 for a resource that does not exist for this caller: `404 User Not Found`, or a bare `404 Not Found`. */
export function notFound(noun?: string): Failure {
  return new Failure("not_found", { message: noun === undefined ? "404 Not Found" : `404 ${noun} Not Found` });
}

/** Returns 404 in lower-case words, for a missing row of a list (rest-conventions 6). */
export function notFoundLowerCase(): Failure {
  return new Failure("not_found", { message: "404 Not found" });
}

/** Returns 404 with the key `error`, for an unknown path or an impossible form of a path parameter. */
export function unknownRoute(): Failure {
  const headers = { "X-Outpost-Reason": "unknown operation" };
  return new Failure("unknown_route", { error: "404 Not Found" }, { headers });
}

/** Returns 409 with a message of the contract: the name or position is taken. */
export function conflict(message = "409 Conflict"): Failure {
  return new Failure("conflict", { message });
}

/** Returns 400 for an issue or a snippet that is spam, when there is no CAPTCHA service. */
export function spam(noun: "issue" | "snippet"): Failure {
  const error = `Your ${noun} has been recognized as spam and has been discarded.`;
  return new Failure("invalid", { message: noun === "issue" ? { error, base: [error] } : { error } });
}

/** Returns 409 for spam that is accepted once the CAPTCHA of `siteKey` is solved (spam-and-captcha). */
export function captchaNeeded(noun: "issue" | "snippet", spamLogId: number, siteKey: string): Failure {
  const verdict = `Your ${noun} has been recognized as spam.`;
  return new Failure("captcha", {
    needs_captcha_response: true,
    spam_log_id: spamLogId,
    captcha_site_key: siteKey,
    message: { error: `${verdict} Please, change the content or solve the reCAPTCHA to proceed.` },
  });
}

/** Throws 412 when the resource to delete was changed after the caller last read it. */
export function requireUnmodified(
  { updated_at }: { readonly updated_at: string },
  unmodifiedSince: string | undefined,
) {
  if (unmodifiedSince === undefined || updated_at <= unmodifiedSince) return;
  throw new Failure("precondition", { message: "412 Precondition Failed" });
}

/** Returns 422 with a message of the contract: the request is valid and allowed, but not possible. */
export function unprocessable(message = "422 Unprocessable Entity"): Failure {
  return new Failure("unprocessable", { message });
}

/** Returns 503: the store accepts no writes, or the server is stopping. */
export function unavailable(cause?: unknown): Failure {
  return new Failure("unavailable", { message: "503 Service Unavailable" }, { cause, retryAfterSeconds: 5 });
}

/** Returns 403 for a token without a required scope. `scope` lists the sufficient scopes, separated by spaces. */
export function insufficientScope(scope: string): Failure {
  return new Failure("insufficient_scope", {
    error: "insufficient_scope",
    error_description: "The request requires higher privileges than provided by the access token.",
    scope,
  });
}
