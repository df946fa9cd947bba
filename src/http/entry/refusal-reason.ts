import { accessLevelName } from "../../domain/access-level.ts";
import type { Caller } from "../../domain/caller.ts";
import { Failure } from "../../domain/failure.ts";
import { Access, findSourceByIdOrPath, levelIn, type Source, sourcePathOf } from "../../modules/core/access/index.ts";
import type { Context } from "../../modules/kernel/context.ts";
import type { InSource } from "../../modules/kernel/operation.ts";
import { describeRefusal, refusalAfter, refusalBefore } from "../auth/admission.ts";
import type { PathValues } from "../params/values.ts";
import { namedPath, type Route } from "./routes.ts";

/** A call that an operation refused. */
export interface RefusedCall {
  readonly route: Route;
  readonly path: PathValues;
  /** undefined when the credentials were refused. */
  readonly caller: Caller | undefined;
}

/**
 * Adds the cause of a 403 or 404 to an answer of a sandbox, as `X-Outpost-Reason`. No other server does, since it shows what
 * the caller may not see.
 */
export function addReason(context: Context, call: RefusedCall, thrown: unknown, response: Response): Response {
  const isRefusal = response.status === 403 || response.status === 404;
  if (context.sandbox === undefined || !isRefusal || response.headers.has(header)) return response;
  // Header text is Latin-1, and clients limit its length.
  response.headers.set(
    header,
    causeOf(context, call, thrown)
      .replace(/[^\x20-\x7e]/g, "?")
      .slice(0, 500),
  );
  return response;
}

const header = "X-Outpost-Reason";

function causeOf(context: Context, { route, path, caller }: RefusedCall, thrown: unknown): string {
  const { operation } = route;
  const { id } = namedPath(route, path);
  const refused = errorText(thrown);
  if (caller === undefined) return `the credential: ${refused}`;
  const refusal = refusalBefore(operation, caller) ?? refusalAfter(operation, caller, context.edition);
  if (refusal !== undefined) return describeRefusal(refusal, operation);
  const name = caller.job === undefined ? (caller.user?.username ?? "an anonymous caller") : "the job";
  const { who } = operation;
  if (typeof who === "string" || id === undefined)
    return `${name} may make the call, and the operation says: ${refused}`;
  const source = findSourceByIdOrPath(context, who.in, id);
  if (source === undefined) return `there is no ${who.in} ${id}`;
  return causeIn(context, caller, { who, source, name, refused });
}

interface InFoundSource {
  readonly who: InSource;
  readonly source: Source;
  readonly name: string;
  readonly refused: string;
}

function causeIn(context: Context, caller: Caller, { who, source, name, refused }: InFoundSource): string {
  const level = levelIn(context, caller, source);
  const role = level === 0 ? `${name} is no member` : `${name} is ${accessLevelName(level)} (${level})`;
  const place = `the ${who.in} ${sourcePathOf(context.store, source)}`;
  const access = context.get(Access);
  if (access.isBeingDeleted(source)) return `${place} is being deleted`;
  const { user } = caller;
  const isSeen =
    "group" in source ? access.canSeeGroup(user, source.group) : access.canSeeProject(user, source.project);
  if (!isSeen) return `${role} of ${place}, and cannot see it`;
  if (level < who.level) {
    return `${role} of ${place}, and the call needs ${accessLevelName(who.level)} (${who.level})`;
  }
  return `${role} of ${place}, and the operation says: ${refused}`;
}

/** Returns the error text of the body. */
function errorText(thrown: unknown): string {
  if (!(thrown instanceof Failure)) return String(thrown);
  const { message, error, scope } = thrown.body as Readonly<Record<string, unknown>>;
  if (thrown.kind === "insufficient_scope") return `the token needs one of the scopes ${String(scope)}`;
  return typeof message === "string" ? message : typeof error === "string" ? error : JSON.stringify(thrown.body);
}
