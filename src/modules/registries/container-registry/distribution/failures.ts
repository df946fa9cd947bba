/** The errors of the distribution protocol. */

import { Failure, type FailureKind } from "../../../../domain/failure.ts";
import type { ErrorFormat } from "../../../kernel/operation.ts";

/** One of the errors of an answer, as the distribution specification has them. */
export interface RegistryError {
  readonly code: string;
  readonly message: string;
  readonly detail?: unknown;
}

/** A refusal with a code that image clients know. */
export class RegistryFailure extends Failure {
  readonly errors: readonly RegistryError[];

  constructor(kind: FailureKind, errors: readonly RegistryError[], headers: Readonly<Record<string, string>> = {}) {
    super(kind, { message: errors[0]?.message ?? kind }, { headers });
    this.errors = errors;
  }
}

const one = (kind: FailureKind, code: string, message: string, detail?: unknown): RegistryFailure =>
  new RegistryFailure(kind, [detail === undefined ? { code, message } : { code, message, detail }]);

export const nameUnknown = (name: string) =>
  one("not_found", "NAME_UNKNOWN", "repository name not known to registry", { name });
export const blobUnknown = (digest: string) => one("not_found", "BLOB_UNKNOWN", "blob unknown to registry", { digest });
export const blobInUse = (digest: string) => one("not_allowed", "UNSUPPORTED", "a manifest names the blob", { digest });
export const manifestUnknown = (reference: string) =>
  one("not_found", "MANIFEST_UNKNOWN", "manifest unknown to registry", { reference });
export const uploadUnknown = () => one("not_found", "BLOB_UPLOAD_UNKNOWN", "blob upload unknown to registry");
export const uploadInvalid = (message: string) => one("invalid", "BLOB_UPLOAD_INVALID", message);
export const digestInvalid = (digest: string | undefined) =>
  one("invalid", "DIGEST_INVALID", "provided digest did not match uploaded content", { digest: digest ?? null });
export const sizeInvalid = () => one("invalid", "SIZE_INVALID", "provided length did not match content length");
export const nameInvalid = (name: string) => one("invalid", "NAME_INVALID", "invalid repository name", { name });
export const tagInvalid = (tag: string) =>
  one("invalid", "TAG_INVALID", "manifest tag did not match its form", { tag });
export const manifestInvalid = (message: string) => one("invalid", "MANIFEST_INVALID", message);
export const tooManyUploads = () =>
  new RegistryFailure("too_many", [{ code: "TOOMANYREQUESTS", message: "too many uploads are under way" }], {
    "Retry-After": "60",
  });

/** 416: the piece does not follow on what is there. */
export const outOfOrder = (headers: Readonly<Record<string, string>>) =>
  new RegistryFailure(
    "range",
    [{ code: "BLOB_UPLOAD_INVALID", message: "the range does not follow on what came before" }],
    headers,
  );

const codes: Readonly<Partial<Record<FailureKind, string>>> = {
  unauthenticated: "UNAUTHORIZED",
  invalid_token: "UNAUTHORIZED",
  forbidden: "DENIED",
  insufficient_scope: "DENIED",
  not_found: "NAME_UNKNOWN",
  too_large: "SIZE_INVALID",
  too_many: "TOOMANYREQUESTS",
  unavailable: "UNAVAILABLE",
  no_room: "DENIED",
  not_allowed: "UNSUPPORTED",
  range: "UNSUPPORTED",
  parameters: "UNSUPPORTED",
};

/** The error format of the image registry: a list of errors, each with a code. */
export const distribution: ErrorFormat = {
  headers: { "Docker-Distribution-Api-Version": "registry/2.0" },
  failureBody(failure) {
    if (failure instanceof RegistryFailure) return { errors: failure.errors };
    const code = failure === undefined ? "UNKNOWN" : (codes[failure.kind] ?? "UNKNOWN");
    return { errors: [{ code, message: failure?.message ?? "unknown error" }] };
  },
};
