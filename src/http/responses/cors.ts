import type { RequestContext } from "../entry/request-context.ts";

const exposed = [
  "Link",
  "X-Total",
  "X-Total-Pages",
  "X-Per-Page",
  "X-Page",
  "X-Next-Page",
  "X-Prev-Page",
  "X-Request-Id",
  "ETag",
  "Retry-After",
].join(", ");

/** Adds headers that let any origin read every answer, without the browser's credentials (rest-conventions 4.2). */
export function addCorsHeaders({ request, isOpenToOrigins }: RequestContext, headers: Record<string, string>): void {
  if (!isOpenToOrigins || request.headers.get("origin") === null) return;
  headers["Access-Control-Allow-Origin"] = "*";
  headers["Access-Control-Expose-Headers"] = exposed;
}

/** Returns the headers for a preflight request; undefined for an ordinary OPTIONS. */
export function preflightHeaders({ request, isOpenToOrigins }: RequestContext): Record<string, string> | undefined {
  if (!isOpenToOrigins || request.headers.get("access-control-request-method") === null) return undefined;
  return {
    "Access-Control-Allow-Methods": "GET, POST, PUT, PATCH, DELETE, OPTIONS, HEAD",
    "Access-Control-Allow-Headers": request.headers.get("access-control-request-headers") ?? "",
    "Access-Control-Max-Age": "7200",
  };
}
