import { Failure, unauthenticated } from "../domain/failure.ts";
import { readBytes } from "./body-bytes.ts";
import { readJson } from "./json.ts";
import { readMultipart } from "./multipart.ts";
import { readForm } from "./query.ts";
import { refuseParameters } from "./refusals.ts";
import { emptyValues, type RawValues } from "./values.ts";

const mebibyte = 1024 * 1024;
/** Largest body of any type, and largest JSON body (rest-conventions 2.2). */
export const bodyBytesMax = 100 * mebibyte;
const jsonBytesMax = 16 * mebibyte;

/** A token may travel in the body, so some of it is read of those who have sent none before. */
const strangersBytesMax = mebibyte;

/** Whether there may be a body; without one, a request can be served without waiting. */
export function hasBody(request: Request): boolean {
  return request.body !== null;
}

/**
 * The body's parameters by its content type (rest-conventions 2.2); an empty body has none, whatever its type.
 * Of those who are not `isTrusted` no more than a mebibyte is read: 401 beyond it.
 * Throws 400 for what can't be read, 413 over 100 MiB, and 415 for another type where a body matters.
 */
export async function readBody(request: Request, isTrusted = true): Promise<RawValues> {
  if (!hasBody(request)) return emptyValues();
  const formBytesMax = isTrusted ? bodyBytesMax : strangersBytesMax;
  const refuseForm = isTrusted ? entityTooLarge : unauthenticated;
  const contentType = request.headers.get("content-type") ?? "";
  const mediaType = mediaTypeOf(contentType);
  switch (mediaType) {
    case "application/json": {
      const bytes = isTrusted
        ? await readBytes(request, jsonBytesMax, refuseJsonSize)
        : await readBytes(request, strangersBytesMax, unauthenticated);
      return bytes.length === 0 ? emptyValues() : readJson(bytes);
    }
    case "":
    case "application/x-www-form-urlencoded":
      return readForm(await readBytes(request, formBytesMax, refuseForm));
    case "multipart/form-data": {
      const bytes = await readBytes(request, formBytesMax, refuseForm);
      return bytes.length === 0 ? emptyValues() : readMultipart(bytes, contentType);
    }
    default:
      if (takesBody(request.method)) await readBytes(request, 0, () => unsupportedType(mediaType));
      return emptyValues();
  }
}

/** Without parameters and in lower case; `""` when nothing is declared. */
export function mediaTypeOf(contentType: string): string {
  const [mediaType = ""] = contentType.split(";", 1);
  return mediaType.trim().toLowerCase();
}

function takesBody(method: string): boolean {
  return method === "POST" || method === "PUT" || method === "PATCH";
}

function refuseJsonSize(sizeBytes: number): Failure {
  return sizeBytes > bodyBytesMax ? entityTooLarge() : refuseParameters("JSON body too large");
}

export function entityTooLarge(): Failure {
  return new Failure("too_large", { message: "413 Request Entity Too Large" });
}

export function unsupportedType(mediaType: string): Failure {
  return new Failure("unsupported_type", { error: `The provided content-type '${mediaType}' is not supported.` });
}
