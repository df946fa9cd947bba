import { unknownRoute } from "../../domain/failure.ts";
import { basePathOf } from "../../lib/base-path.ts";
import type { Context } from "../../modules/kernel/context.ts";
import type { RequestContext } from "../entry/request-context.ts";
import { answerFailure } from "./failures.ts";
import { respond } from "./responses.ts";

/** Paths for programs, which get JSON whatever they accept. */
const programsPath = /^\/(api|v2)(\/|$)/;

/** A path that no operation has: people in a browser are led to the console, programs get 404 as JSON (console, the head). */
export function answerUnknown(requestContext: RequestContext, context: Context): Response {
  const { request, path } = requestContext;
  const isRead = request.method === "GET" || request.method === "HEAD";
  const wantsPage = isRead && request.headers.get("accept")?.includes("text/html") === true && !programsPath.test(path);
  if (!wantsPage || context.console === undefined) return answerFailure(requestContext, context.log, unknownRoute());
  const base = basePathOf(context.externalUrl);
  const vary = { Vary: "Origin, Accept" };
  if (path === "/") return respond(requestContext, 302, null, { ...vary, Location: `${base}/-/console/` });
  return respond(requestContext, 404, pageWithLinks(base), {
    ...vary,
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  });
}

function pageWithLinks(base: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Not found - Outpost</title>
  </head>
  <body>
    <main>
      <h1>Not found</h1>
      <p>Outpost has no page at this address, even if a <code>web_url</code> of the API names it.</p>
      <ul>
        <li><a href="${base}/-/console/">The console</a></li>
        <li><a href="${base}/-/api">The API reference</a></li>
      </ul>
    </main>
  </body>
</html>
`;
}
