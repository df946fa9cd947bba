import type { Matcher } from "../entry/matcher.ts";
import type { RequestContext } from "../entry/request-context.ts";
import { apiPrefix } from "../entry/routes.ts";

/** Makes an API call with the credentials of a request. `target` is the path below `/api/v4` with the query. */
export type Ask = (method: "GET" | "HEAD", target: string) => Promise<Response>;

/** Mounts the operations of a path's area. Returns undefined when they are mounted, or there are none. */
export type MountFor = (path: string) => Promise<void> | undefined;

/** Headers with credentials. */
const credentialHeaders = ["authorization", "cookie", "private-token"] as const;

/** Returns a function that makes API calls as the sender of a request, with all checks and limits. */
export function askFor(requestContext: RequestContext, matcher: Matcher, mountFor: MountFor): Ask {
  const { headers: given, url: asked } = requestContext.request;
  const headers = new Headers();
  for (const name of credentialHeaders) {
    const value = given.get(name);
    if (value !== null) headers.set(name, value);
  }
  return async (method, target) => {
    const { href, pathname, search } = new URL(`${apiPrefix}${target}`, asked);
    await mountFor(pathname);
    // The matcher finds the handler by GET. The handler reads the method of the call.
    const matched = new Request(href, { headers });
    const call = requestContext.forCall(matched, pathname, search.slice(1));
    if (method === "HEAD") call.request = new Request(href, { method, headers });
    return matcher.fetch(matched);
  };
}
