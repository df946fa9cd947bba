import { Failure } from "../../domain/failure.ts";
import { badRequest } from "../params/refusals.ts";

/** Longest request target that is served (rest-conventions 2.1). */
const targetBytesMax = 8192;

/** Paths that belong to the server. */
const ownPath = /^\/(api\/v\d|-|v2|uploads)\//;

/** The path and query of a request, ready to be matched. */
export interface Target {
  /** Percent-encoded, without repeated or trailing slashes: `/api/v4/projects/a%2Fb`. */
  readonly path: string;
  /** The query as sent, without the `?`. */
  readonly search: string;
}

/**
 * Removes the path of the external address, `/outpost`, from the target, for proxies that forward whole paths. Requests
 * without it, of other proxies or direct clients, are served as well.
 */
export function stripBasePath(target: Target, basePath: string): Target {
  const { path, search } = target;
  if (basePath === "" || !path.startsWith(`${basePath}/`)) return target;
  const below = path.slice(basePath.length);
  // A base such as `/api` begins paths of the server's own.
  return ownPath.test(path) && !ownPath.test(below) ? target : { path: below, search };
}

/**
 * `request.url` → its path and query (rest-conventions 2.1). Throws `too_long` (414), and 400 for a path with a
 * broken escape, bytes that are not UTF-8, or a NUL.
 *
 * Bun has resolved `.` and `..` before, and escaped every byte outside ASCII, so characters are bytes here.
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
  // Bun puts U+FFFD in the place of raw bytes that are not UTF-8, so it stands for them here.
  if (decoded.includes("\0") || decoded.includes("\uFFFD")) throw badRequest();
}
