import { Failure } from "../../domain/failure.ts";
import { spend } from "../../domain/work-budget.ts";
import { type Sender, strangersBytesMax } from "../limits/sender.ts";
import { jsonTooLarge } from "../params/parameter-limits.ts";
import { emptyValues, type RawValues } from "../params/values.ts";
import { isSmall, readBytes, type SizeLimit } from "./body-bytes.ts";
import { parseInSteps, parseInTurn } from "./in-turn.ts";
import { readJson } from "./json.ts";
import { readMultipart } from "./multipart.ts";
import { readForm } from "./query.ts";

const mebibyte = 1024 * 1024;
/** The largest body of any type (rest-conventions 2.2). */
export const bodyBytesMax = 100 * mebibyte;
/** The largest JSON body, and the largest form without files. The longest accepted text has 12 MiB when it is escaped. */
export const textBytesMax = 16 * mebibyte;
/**
 * The largest form with the text of a file, and the most bytes of a multipart body besides its large files. Each byte may be
 * escaped.
 */
export const longTextBytesMax = 3 * textBytesMax;

/** The bytes of files in a form that cost one step: they are copied, not parsed. */
const partBytesPerStep = 16;

/** The sender of a body, and its size limits. */
export interface BodyRule {
  readonly sender: Sender;
  /** The most bytes of a form, `a=1&b=2`. */
  readonly formBytesMax: number;
  readonly multipartBytesMax: number;
  /** Returns the error for an anonymous client that sends more than the server reads from it. */
  readonly refuseStranger: () => Failure;
}

/** True when the request may have a body. The server can handle a request without one synchronously. */
export function hasBody(request: Request): boolean {
  // The header is faster to read than `body`, which makes a stream.
  if (request.method !== "GET" && Number(request.headers.get("content-length") ?? 0) > 0) return true;
  return request.body !== null;
}

/**
 * Returns the parameters of the body, by its content type (rest-conventions 2.2). An empty body of any type has none. Throws
 * 400 for an unreadable body, 413 for one that is too large, and 415 for a wrong type where a body matters.
 */
export function readBody(request: Request, rule: BodyRule): Promise<RawValues> {
  const contentType = request.headers.get("content-type") ?? "";
  const mediaType = mediaTypeOf(contentType);
  switch (mediaType) {
    case "application/json":
      return readAtMost(request, rule, { sizeBytesMax: textBytesMax, refuse: refuseJsonSize }, (bytes) =>
        bytes.length === 0 ? emptyValues() : parseInTurn(bytes, readJson),
      );
    case "":
    case "application/x-www-form-urlencoded":
      return readAtMost(request, rule, { sizeBytesMax: rule.formBytesMax, refuse: entityTooLarge }, (bytes) =>
        parseInSteps(bytes, readForm),
      );
    case "multipart/form-data":
      return readAtMost(request, rule, { sizeBytesMax: rule.multipartBytesMax, refuse: entityTooLarge }, (bytes) =>
        bytes.length === 0 ? emptyValues() : readMultipart(bytes, contentType, longTextBytesMax, entityTooLarge),
      );
    default:
      return refuseType(request, mediaType, rule.sender);
  }
}

/** Reads and parses a body. Each byte is a step. */
function readAtMost<R>(
  request: Request,
  { sender, refuseStranger }: BodyRule,
  { sizeBytesMax, refuse }: SizeLimit,
  parse: (bytes: Uint8Array) => R | Promise<R>,
): Promise<R> {
  const isOfStranger = !isSmall(request) && sender.isStranger;
  const limit = isOfStranger ? { sizeBytesMax: strangersBytesMax, refuse: refuseStranger } : { sizeBytesMax, refuse };
  return readBytes(request, limit, sender).then((bytes) => {
    spend(bytes.length / (sizeBytesMax > textBytesMax ? partBytesPerStep : 1), "input");
    return parse(bytes);
  });
}

/** Throws 415 where the body matters. Elsewhere it is not read. */
async function refuseType(request: Request, mediaType: string, sender: Sender): Promise<RawValues> {
  const refuse = () => unsupportedType(mediaType);
  if (takesBody(request.method)) await readBytes(request, { sizeBytesMax: 0, refuse }, sender);
  return emptyValues();
}

/** Returns the media type without parameters, in lower case; `""` when there is none. */
export function mediaTypeOf(contentType: string): string {
  const [mediaType = ""] = contentType.split(";", 1);
  return mediaType.trim().toLowerCase();
}

function takesBody(method: string): boolean {
  return method === "POST" || method === "PUT" || method === "PATCH";
}

function refuseJsonSize(sizeBytes: number): Failure {
  return sizeBytes > bodyBytesMax ? entityTooLarge() : jsonTooLarge();
}

export function entityTooLarge(): Failure {
  return new Failure("too_large", { message: "413 Request Entity Too Large" });
}

export function unsupportedType(mediaType: string): Failure {
  return new Failure("unsupported_type", { error: `The provided content-type '${mediaType}' is not supported.` });
}
