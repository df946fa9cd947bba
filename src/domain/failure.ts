/** The kinds of errors, without HTTP; `http/responses/failures.ts` alone maps a kind to a status. */
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

/** `message` of a model validation: attribute → texts, nested for embedded entities (rest-conventions 6). */
export interface AttributeErrors {
  readonly [attribute: string]: readonly string[] | AttributeErrors;
}

/** The body of an error answer: the key `message` or `error` decides which the clients see (rest-conventions 1). */
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
  /** The mistakes of a text, each with its place. */
  readonly errors?: readonly object[];
  /** The causes that keep the server from taking requests, and the checks made, for administrators. */
  readonly reasons?: readonly string[];
  readonly checks?: object;
}

interface FailureOptions extends ErrorOptions {
  readonly retryAfterSeconds?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly isPlainText?: true;
}

/** The one error that operations throw on purpose; everything else is a bug and answers 500. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly kind: FailureKind;
  readonly body: FailureBody;
  /** Seconds after which a client may try again. */
  readonly retryAfterSeconds: number | undefined;
  /** Headers of the answer, where a protocol needs more than the body. */
  readonly headers: Readonly<Record<string, string>>;
  /** The answer is the message itself, for clients that show people nothing else. */
  readonly isPlainText: boolean;

  constructor(kind: FailureKind, body: FailureBody, options: FailureOptions = {}) {
    super(describe(body), options);
    this.kind = kind;
    this.body = body;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.headers = options.headers ?? {};
    this.isPlainText = options.isPlainText === true;
  }
}

function describe(body: FailureBody): string {
  if (typeof body.message === "string") return body.message;
  return body.error ?? JSON.stringify(body.message ?? {});
}

/** The requested state exists already: 304 without a body. */
export function unchanged(): Failure {
  return new Failure("unchanged", {});
}

/** The page's own sentence, or attribute errors, for a broken rule of the model: 400. */
export function invalid(message: string | AttributeErrors): Failure {
  return new Failure("invalid", { message });
}

/** A parameter that the value of another one requires is missing: 400, as for a required parameter. */
export function missing(name: string): Failure {
  return new Failure("parameters", { error: `${name} is missing`, message: `400 (Bad request) "${name}" not given` });
}

/**
 * The path belonged to a project that has another one now: GET and HEAD are redirected to its id (groups-and-projects
 * 6).
 */
export class ProjectMoved extends Error {
  override readonly name = "ProjectMoved";
  readonly projectId: number;

  constructor(projectId: number) {
    super(`moved to ${projectId}`);
    this.projectId = projectId;
  }
}

/** The caller is anonymous, or the token is unknown: 401. */
export function unauthenticated(): Failure {
  return new Failure("unauthenticated", { message: "401 Unauthorized" });
}

/** The caller may see the thing, but not do this to it: 403, with the reason when there is one. */
export function forbidden(reason?: string): Failure {
  return new Failure("forbidden", { message: reason === undefined ? "403 Forbidden" : `403 Forbidden - ${reason}` });
}

/** A 403 with a message of the contract, in place of that of `forbidden`. */
export function forbiddenWith(message: string): Failure {
  return new Failure("forbidden", { message });
}

/** The thing named is not there for this caller: `404 User Not Found`, or a bare `404 Not Found`. */
export function notFound(noun?: string): Failure {
  return new Failure("not_found", { message: noun === undefined ? "404 Not Found" : `404 ${noun} Not Found` });
}

/** A list has no such row: 404 in the contract's lower-case words (rest-conventions 6). */
export function notFoundLowerCase(): Failure {
  return new Failure("not_found", { message: "404 Not found" });
}

/** No operation has this path, or a path parameter has a form that no operation takes: 404 with key `error`. */
export function unknownRoute(): Failure {
  const headers = { "X-Outpost-Reason": "unknown operation" };
  return new Failure("unknown_route", { error: "404 Not Found" }, { headers });
}

/** Something else holds the name or the place: 409 with the page's text. */
export function conflict(message = "409 Conflict"): Failure {
  return new Failure("conflict", { message });
}

/** The text of an issue or a snippet is spam, and there is no CAPTCHA service: 400. */
export function spam(noun: "issue" | "snippet"): Failure {
  const error = `Your ${noun} has been recognized as spam and has been discarded.`;
  return new Failure("invalid", { message: noun === "issue" ? { error, base: [error] } : { error } });
}

/** Spam that passes if the CAPTCHA of `siteKey` is solved: 409 (spam-and-captcha). */
export function captchaNeeded(noun: "issue" | "snippet", spamLogId: number, siteKey: string): Failure {
  const verdict = `Your ${noun} has been recognized as spam.`;
  return new Failure("captcha", {
    needs_captcha_response: true,
    spam_log_id: spamLogId,
    captcha_site_key: siteKey,
    message: { error: `${verdict} Please, change the content or solve the reCAPTCHA to proceed.` },
  });
}

/** Throws 412 when what is to be deleted was changed after the caller last saw it. */
export function requireUnmodified(
  { updated_at }: { readonly updated_at: string },
  unmodifiedSince: string | undefined,
) {
  if (unmodifiedSince === undefined || updated_at <= unmodifiedSince) return;
  throw new Failure("precondition", { message: "412 Precondition Failed" });
}

/** Well-formed and allowed, but not possible: 422 with the page's text. */
export function unprocessable(message = "422 Unprocessable Entity"): Failure {
  return new Failure("unprocessable", { message });
}

/** The store takes no writes, or the server is going down: 503. */
export function unavailable(cause?: unknown): Failure {
  return new Failure("unavailable", { message: "503 Service Unavailable" }, { cause, retryAfterSeconds: 5 });
}

/** `scope`: the scopes that would do, with spaces between them. */
export function insufficientScope(scope: string): Failure {
  return new Failure("insufficient_scope", {
    error: "insufficient_scope",
    error_description: "The request requires higher privileges than provided by the access token.",
    scope,
  });
}
