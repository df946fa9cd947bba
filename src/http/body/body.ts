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
/** Largest body of any type (rest-conventions 2.2). */
export const bodyBytesMax = 100 * mebibyte;
/** Largest JSON body, and largest form without files: the longest text in it that is taken has 12 MiB when it is escaped. */
export const textBytesMax = 16 * mebibyte;
/** Largest form with the text of a file, and the most that a multipart body has beside its large files: each byte may be escaped. */
export const longTextBytesMax = 3 * textBytesMax;

/** Bytes of files in a form that take as long as one step: they are copied, not parsed. */
const partBytesPerStep = 16;

/** The sender of a body, and the limits on its size. */
export interface BodyRule {
  readonly sender: Sender;
  /** Bytes of a form, `a=1&b=2`. */
  readonly formBytesMax: number;
  readonly multipartBytesMax: number;
  /** The refusal for strangers who send more than the server reads of them. */
  readonly refuseStranger: () => Failure;
}

/** True when the request may have a body; the server can serve a request without one immediately. */
export function hasBody(request: Request): boolean {
  // Where there is one, `body` makes a stream of it: the header is quicker to read.
  if (request.method !== "GET" && Number(request.headers.get("content-length") ?? 0) > 0) return true;
  return request.body !== null;
}

/**
 * The body's parameters by its content type (rest-conventions 2.2); an empty body has none, whatever its type.
 * Throws 400 for what can't be read, 413 for what is too large, and 415 for another type where a body matters.
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

/** Reads a body and parses it; each byte is a step. */
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

/** Throws 415 for a body where one matters; elsewhere it is not read. */
async function refuseType(request: Request, mediaType: string, sender: Sender): Promise<RawValues> {
  const refuse = () => unsupportedType(mediaType);
  if (takesBody(request.method)) await readBytes(request, { sizeBytesMax: 0, refuse }, sender);
  return emptyValues();
}

/** Returns the media type without parameters, in lower case; `""` when none is declared. */
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
