import { bearerOf, passwordOf } from "../../domain/authorization.ts";
import { findAccessToken } from "../../modules/accounts/access-tokens/index.ts";
import { findRunningJob } from "../../modules/ci/pipelines/index.ts";
import { users } from "../../modules/core/users/records.ts";
import type { Context } from "../../modules/kernel/context.ts";

/** Matches the names of secret fields and parameters, by their end: `runners_token`, `user[password]`. */
const secretWord =
  "(?:password|password_confirmation|token|secret|private_key|public_key|api_key|sentry_key|authorization_key|otp_attempt)";
const secretInJson = new RegExp(`("(?:[\\w-]*[_-])?${secretWord}"\\s*:\\s*")((?:[^"\\\\]|\\\\.)+)`, "gi");
const secretInForm = new RegExp(
  `((?:^|[&?])(?:[\\w.%[\\]-]*(?:_|-|\\[|%5B))?${secretWord}(?:\\]|%5D)?=)([^&#]+)`,
  "gi",
);
const secretInMultipart = new RegExp(
  `(name="(?:[^"\\r\\n]*[_\\[-])?${secretWord}\\]?"[^\\r\\n]*\\r\\n(?:[^\\r\\n]+\\r\\n){0,20}\\r\\n)([^\\r\\n]+)`,
  "gi",
);
/** Matches tokens of the server's own formats, anywhere. */
const ownToken = /\b(?:opx|glrt|glcbt|glptt)-[\w-]{16,}/g;
/** Matches credentials in a URL, such as a DSN. */
const inAddress = /(:\/\/)[^/@\s"?#]+@/g;
const secretHeader = /token|secret|auth|cookie|key/i;
/** A shorter credential could match other text by chance. */
const credentialLengthMin = 8;

/** Replaces a secret without a known owner. */
const unnamed = "[secret]";

/** Removes the secrets of one exchange, wherever they occur. */
export class Redaction {
  readonly #context: Context;
  /** The credentials of the request. */
  readonly #credentials: readonly string[];

  constructor(context: Context, { headers, url }: Request) {
    this.#context = context;
    const authorization = headers.get("authorization");
    const query = new URLSearchParams(url.split("?", 2)[1] ?? "");
    const given = [
      ...["private-token", "job-token", "deploy-token"].map((name) => headers.get(name)),
      ...[bearerOf(authorization), passwordOf(authorization)],
      ...["private_token", "access_token", "job_token"].map((name) => query.get(name)),
    ];
    this.#credentials = given.filter(
      (each) => each !== null && each !== undefined && each.length >= credentialLengthMin,
    ) as string[];
  }

  /** Returns a header value without secrets. The scheme of `Authorization` and the names of cookies stay. */
  header(name: string, value: string): string {
    if (!secretHeader.test(name)) return this.text(value);
    const lowered = name.toLowerCase();
    if (lowered === "cookie" || lowered === "set-cookie") return value.replace(/^([^=;]+=)[^;]*/, `$1${unnamed}`);
    const scheme = /^\w+ (?=\S)/.exec(value)?.[0] ?? "";
    const secret = scheme === "Basic " ? (passwordOf(value) ?? "") : value.slice(scheme.length);
    return `${scheme}${this.#labelOf(secret)}`;
  }

  /** Returns a text without secrets: a URL, JSON or a form. */
  text(text: string): string {
    let clean = text;
    for (const credential of this.#credentials) clean = clean.replaceAll(credential, this.#labelOf(credential));
    return clean
      .replace(secretInJson, (_, before: string, secret: string) => `${before}${this.#labelOf(secret)}`)
      .replace(secretInForm, (_, before: string, secret: string) => `${before}${this.#labelOf(decoded(secret))}`)
      .replace(secretInMultipart, (_, before: string, secret: string) => `${before}${this.#labelOf(secret)}`)
      .replace(ownToken, (token) => this.#labelOf(token))
      .replace(inAddress, `$1${unnamed}@`);
  }

  /** Returns a label such as `[token 12 of mara]`, with the token's id, so that two tokens of one user differ. */
  #labelOf(secret: string): string {
    if (secret.startsWith("[")) return secret;
    const { store } = this.#context;
    const token = findAccessToken(store, secret);
    if (token !== undefined) return `[token ${token.id} of ${store.of(users).get(token.user_id)?.username}]`;
    const job = findRunningJob(this.#context, secret);
    return job === undefined ? unnamed : `[token of job ${job.id}]`;
  }
}

/** Returns a form without the values of secret fields. */
export function withoutBodySecrets(body: string): string {
  const texts = [secretInForm, secretInJson, secretInMultipart];
  return texts.reduce((text, secret) => text.replace(secret, `$1${unnamed}`), body).replace(ownToken, unnamed);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
