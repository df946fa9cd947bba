import type { Matcher } from "../entry/matcher.ts";
import type { RequestContext } from "../entry/request-context.ts";
import { apiPrefix } from "../entry/routes.ts";

/** Makes a call of the API with the credentials of a request; `target` is the path below `/api/v4` with the query. */
export type Ask = (method: "GET" | "HEAD", target: string) => Promise<Response>;

/** Mounts the operations of the area of a path; undefined: they are mounted, or there are none. */
export type MountFor = (path: string) => Promise<void> | undefined;

/** Headers that say who is asking. */
const credentialHeaders = ["authorization", "cookie", "private-token"] as const;

/** Makes calls for a request as its sender would: the rules and limits of each operation hold. */
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
    // The matcher finds the handler by GET; the handler reads the method of the call.
    const matched = new Request(href, { headers });
    const call = requestContext.forCall(matched, pathname, search.slice(1));
    if (method === "HEAD") call.request = new Request(href, { method, headers });
    return matcher.fetch(matched);
  };
}
