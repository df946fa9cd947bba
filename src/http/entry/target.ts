import { Failure } from "../../domain/failure.ts";
import { badRequest } from "../params/refusals.ts";

/** The longest accepted request target (rest-conventions 2.1). */
const targetBytesMax = 8192;

/** Paths of the server itself. */
const ownPath = /^\/(api\/v\d|-|v2|uploads)\//;

/** The normalised path and the query of a request. */
export interface Target {
  /** The path, percent-encoded, without repeated or trailing slashes: `/api/v4/projects/a%2Fb`. */
  readonly path: string;
  /** The query as sent, without the `?`. */
  readonly search: string;
}

/**
 * Removes the path of the external URL, such as `/outpost`, from the target, for proxies that forward whole paths. Returns
 * targets without it unchanged.
 */
export function stripBasePath(target: Target, basePath: string): Target {
  const { path, search } = target;
  if (basePath === "" || !path.startsWith(`${basePath}/`)) return target;
  const below = path.slice(basePath.length);
  // A base path such as `/api` is also the start of the server's own paths.
  return ownPath.test(path) && !ownPath.test(below) ? target : { path: below, search };
}

/**
 * Parses `request.url` (rest-conventions 2.1). Throws `too_long` (414), and 400 for a path with an invalid escape, invalid
 * UTF-8, or a NUL.
 *
 * Bun has resolved `.` and `..` already and escaped every byte outside of ASCII, so characters are bytes here.
 */
export function cleanTarget(url: string): Target {
  const pathStart = url.indexOf("/", url.indexOf("://") + 3);
  if (url.length - pathStart > targetBytesMax) {
    throw new Failure("too_long", { message: "414 Request-URI Too Large" });
  }
  const fragmentStart = url.indexOf("#", pathStart);
  const end = fragmentStart === -1 ? url.length : fragmentStart;
  const queryMark = url.indexOf("?", pathStart);
  const hasQuery = queryMark !== -1 && queryMark < end;
  const path = url.slice(pathStart, hasQuery ? queryMark : end);
  if (path.includes("%")) checkEscapes(path);
  return { path: dropSlashes(path), search: hasQuery ? url.slice(queryMark + 1, end) : "" };
}

function dropSlashes(path: string): string {
  const single = path.includes("//") ? path.replace(/\/{2,}/g, "/") : path;
  return single.length > 1 && single.endsWith("/") ? single.slice(0, -1) : single;
}

function checkEscapes(path: string): void {
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    throw badRequest();
  }
  // Bun replaces raw bytes that are not UTF-8 with U+FFFD.
  if (decoded.includes("\0") || decoded.includes("\uFFFD")) throw badRequest();
}
