import { accessLevelName } from "../../domain/access-level.ts";
import type { Caller } from "../../domain/caller.ts";
import { Failure } from "../../domain/failure.ts";
import {
  Access,
  authorizeSource,
  type EffectiveMembership,
  findSource,
  findSourceByIdOrPath,
  levelIn,
  refOf,
  type Source,
  sourcePathOf,
} from "../../modules/core/access/index.ts";
import { getUser } from "../../modules/core/users/index.ts";
import type { UserRecord } from "../../modules/core/users/records.ts";
import type { CallExplanation, CallQuestion } from "../../modules/kernel/call-explanation.ts";
import type { Context } from "../../modules/kernel/context.ts";
import type { InSource, Operation } from "../../modules/kernel/operation.ts";
import { describeRefusal, type Refusal, refusalAfter, refusalBefore } from "../auth/admission.ts";
import { describeAccessRule } from "../openapi/index.ts";
import { findOperation } from "./in-process.ts";
import { encodePlainPath } from "./plain-path.ts";

/**
 * Describes a call without making it: its operation, who may make it, and whether a user may, with the source of their role.
 * Returns undefined when no operation matches.
 */
export function explainCall(
  context: Context,
  operations: readonly Operation[],
  { userId, method: verb, path: called }: CallQuestion,
): CallExplanation | undefined {
  const found = findOperation(operations, verb, encodePlainPath(operations, verb, called));
  if (found === undefined) return undefined;
  const { operation, path: values } = found;
  const user = userId === undefined ? undefined : getUser(context.store, userId);
  const id = values.id ?? "";
  const { method, path, summary, who } = operation;
  const caller: Caller = { user, token: undefined, ipAddress: null };
  const source = findSourceFor(context, caller, operation, id);
  const level = source === undefined ? undefined : levelIn(context, caller, source);
  const ways = user === undefined || source === undefined ? [] : context.get(Access).explain(user.id, refOf(source));
  const refusal = refusalOf(context, user, operation, id);
  return {
    user: user?.username ?? "nobody",
    operation: { method, path, summary },
    rule: describeAccessRule(who),
    role: level === undefined ? null : { access_level: level, name: accessLevelName(level) },
    ways: ways.map((way) => ({
      ...{ access_level: way.level, name: accessLevelName(way.level) },
      from: originOf(context, way),
    })),
    allowed: refusal === undefined,
    reason: refusal ?? "allowed; the operation then checks parameters, token scopes and its own rules",
  };
}

/** Returns the group or project of the path, as far as the caller may see it. */
function findSourceFor(context: Context, caller: Caller, { who }: Operation, id: string): Source | undefined {
  if (typeof who === "string") return undefined;
  try {
    return authorizeSource(context, caller, { ...who, level: 0 }, id);
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}

/** Returns the first refusal, in the order of a request. */
function refusalOf(
  context: Context,
  user: UserRecord | undefined,
  operation: Operation,
  id: string,
): string | undefined {
  if (user !== undefined && user.state !== "active")
    return `403: the account is ${user.state}, so its tokens do not work`;
  const { who } = operation;
  const caller: Caller = { user, token: undefined, ipAddress: null };
  const refusal = refusalBefore(operation, caller) ?? refusalAfter(operation, caller, context.edition);
  if (refusal !== undefined) return `${statusOf(refusal, operation)}: ${describeRefusal(refusal, operation)}`;
  if (typeof who === "string") return undefined;
  try {
    authorizeSource(context, caller, who, id);
    return undefined;
  } catch (error) {
    if (error instanceof Failure && error.kind === "not_found")
      return `404: ${hiddenBecause(context, caller, who, id)}`;
    if (error instanceof Failure) return `${error.message}: the user's role there is too low`;
    if (error instanceof Error && error.name === "ProjectMoved") return "301: the project has moved; use its new path";
    throw error;
  }
}

function statusOf(refusal: Refusal, { isUnknownBelowTier }: Operation): number {
  if (refusal === "edition") return isUnknownBelowTier === true ? 404 : 403;
  return refusal === "no administrator" ? 403 : 401;
}

/**
 * Returns why a caller does not see the group or project. Only for administrators, since it shows what the caller must not
 * know.
 */
function hiddenBecause(context: Context, { user }: Caller, who: InSource, id: string): string {
  const source = findSourceByIdOrPath(context, who.in, id);
  if (source === undefined) return `there is no ${who.in} ${id}`;
  const place = `the ${who.in} ${sourcePathOf(context.store, source)}`;
  if (context.get(Access).isBeingDeleted(source)) return `${place} is being deleted`;
  const { visibility } = "group" in source ? source.group : source.project;
  const name = user?.username ?? "an anonymous caller";
  if (visibility === "private") return `${place} is private, and ${name} has no role in it`;
  return `${place} is ${visibility}, and ${name} is ${user === undefined ? "not signed in" : "external and has no role in it"}`;
}

function originOf({ store }: Context, { channel }: EffectiveMembership): string {
  const source = findSource(store, channel.source);
  const place = `${channel.source.type} ${source === undefined ? channel.source.id : sourcePathOf(store, source)}`;
  if (channel.kind === "direct") return `a direct member of the ${place}`;
  if (channel.kind === "inherited") return `inherited from the ${place} above`;
  return `a member of the invited ${place}, with at most ${accessLevelName(channel.link?.group_access ?? 0)}`;
}
