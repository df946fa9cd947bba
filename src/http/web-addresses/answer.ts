import { unknownRoute } from "../../domain/failure.ts";
import { basePathOf } from "../../lib/base-path.ts";
import { trimEndCharacters } from "../../lib/text/trim.ts";
import type { Context } from "../../modules/kernel/context.ts";
import type { RequestContext } from "../entry/request-context.ts";
import { answerFailure } from "../responses/failures.ts";
import { respond } from "../responses/responses.ts";
import type { Ask } from "./ask.ts";
import { findTarget, isFileAddress, isWebAddress, type Reader, segmentsOf, type Target } from "./find-page.ts";
import { notFoundPage } from "./not-found-page.ts";
import { fixedPages } from "./places.ts";

/** Paths of APIs, which answer with JSON whatever the client accepts. */
const programsPath = /^\/(api|v2)(\/|$)/;

/** The end of the path of a clone's first request. */
const refsEnding = "/info/refs";

/**
 * Answers a path that no operation has. Redirects browsers to the console's page for it or to the sign-in, and programs to
 * the file at the address. Anything else is 404 (console, the head).
 */
export function answerUnknown(
  requestContext: RequestContext,
  context: Context,
  ask: Ask,
): Response | Promise<Response> {
  const { request, path } = requestContext;
  const { console, log } = context;
  const unknown = () => answerFailure(requestContext, log, unknownRoute());
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (isRead && isCloneWithoutGit(path)) return answerClone(requestContext);
  if (!isRead || programsPath.test(path) || console === undefined) return unknown();
  const segments = segmentsOf(path);
  const wantsPage = request.headers.get("accept")?.includes("text/html") === true;
  if (wantsPage) return answerBrowser(requestContext, context, ask, segments);
  if (segments === undefined || !isFileAddress(segments)) return unknown();
  return findTarget(segments, readerWith(ask)).then((target) =>
    target !== undefined && "file" in target ? redirect(requestContext, context, addressOf(target)) : unknown(),
  );
}

function answerBrowser(
  requestContext: RequestContext,
  context: Context,
  ask: Ask,
  segments: readonly string[] | undefined,
): Response | Promise<Response> {
  const { path, search } = requestContext;
  const fixed = path === "/" ? "/" : fixedPages.get(trimEndCharacters(path, "/"));
  if (fixed !== undefined) {
    return redirect(requestContext, context, `/-/console${fixed}${search === "" ? "" : `?${search}`}`);
  }
  if (segments === undefined || !isWebAddress(segments)) return answerNotFound(requestContext, context);
  return answerPlace(requestContext, context, ask, segments);
}

async function answerPlace(
  requestContext: RequestContext,
  context: Context,
  ask: Ask,
  segments: readonly string[],
): Promise<Response> {
  const reader = readerWith(ask);
  const isSignedIn = await reader.exists("/user");
  const target = isSignedIn || isFileAddress(segments) ? await findTarget(segments, reader) : undefined;
  if (isSignedIn && target === undefined) return answerNotFound(requestContext, context);
  const isOpen = isSignedIn || (target !== undefined && "file" in target);
  return redirect(
    requestContext,
    context,
    isOpen && target !== undefined ? addressOf(target) : signInFor(requestContext),
  );
}

/** Returns the sign-in page that comes back to the address. It is the same whether the address exists or not. */
function signInFor({ path, search }: RequestContext): string {
  return `/-/console/go?${new URLSearchParams({ to: search === "" ? path : `${path}?${search}` })}`;
}

function addressOf(target: Target): string {
  return "page" in target ? `/-/console${target.page}` : `/api/v4${target.file}`;
}

function readerWith(ask: Ask): Reader {
  return {
    async read(call) {
      const response = await ask("GET", call);
      if (response.status === 200) return response.json();
      await response.body?.cancel();
      return undefined;
    },
    async exists(call) {
      const response = await ask("HEAD", call);
      await response.body?.cancel();
      return response.status === 200 || response.status === 302;
    },
  };
}

/** The redirect depends on the caller. */
const vary = { Vary: "Origin, Accept, Cookie" };

/** True when a git client requests a project's address without `.git`: at least a namespace and a name. */
function isCloneWithoutGit(path: string): boolean {
  const [, first = "", second = ""] = path.slice(0, -refsEnding.length).split("/", 3);
  return path.endsWith(refsEnding) && first !== "" && second !== "" && first !== "-" && !programsPath.test(path);
}

/** Redirects git clients to the address with `.git`, whether the project exists or not. */
function answerClone(requestContext: RequestContext): Response {
  const { baseUrl, path, search } = requestContext;
  const query = search === "" ? "" : `?${search}`;
  const location = `${baseUrl}${path.slice(0, -refsEnding.length)}.git${refsEnding}${query}`;
  return respond(requestContext, 301, null, { Location: location });
}

function redirect(requestContext: RequestContext, { externalUrl }: Context, path: string): Response {
  return respond(requestContext, 302, null, { ...vary, Location: `${basePathOf(externalUrl)}${path}` });
}

function answerNotFound(requestContext: RequestContext, { externalUrl }: Context): Response {
  return respond(requestContext, 404, notFoundPage(basePathOf(externalUrl)), {
    ...vary,
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  });
}
