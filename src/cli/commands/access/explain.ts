import type { Config } from "../../../config/config.ts";
import { type AccessLevel, accessLevelName } from "../../../domain/access-level.ts";
import type { Caller } from "../../../domain/caller.ts";
import { Failure } from "../../../domain/failure.ts";
import { exitCodes } from "../../../domain/start-error.ts";
import { type Obstacle, obstacleAfter, obstacleBefore } from "../../../http/auth/admission.ts";
import { type FoundOperation, findOperation } from "../../../http/entry/in-process.ts";
import { describeWho } from "../../../http/openapi/index.ts";
import {
  Access,
  authorizeSource,
  type EffectiveMembership,
  findSource,
  levelIn,
  refOf,
  type Source,
  sourcePathOf,
} from "../../../modules/core/access/index.ts";
import type { UserRecord } from "../../../modules/core/users/index.ts";
import { operations } from "../../../modules/index.ts";
import type { Context } from "../../../modules/kernel/context.ts";
import type { Operation } from "../../../modules/kernel/operation.ts";
import { type OfflineOptions, userNamed, withOfflineStore, wrongUse } from "../../offline-store.ts";
import { printJson, printTable } from "../../output/table.ts";

export interface ExplainFlags extends OfflineOptions {
  /** A username, the digits of an id, or `nobody` for an anonymous caller. */
  readonly user: string;
  readonly method: string;
  /** Below `/api/v4`, or a whole one. */
  readonly path: string;
}

/** The rule that the operation table has for a call, and its consequence for one user. */
interface Explanation {
  readonly user: string;
  readonly operation: { readonly method: string; readonly path: string; readonly summary: string };
  /** The callers that the operation allows. */
  readonly rule: string;
  /** In the group or project; null where the rule asks for none, or where it is not to be seen. */
  readonly role: { readonly access_level: AccessLevel; readonly name: string } | null;
  /** Each membership that counts there, the one that decides first. */
  readonly ways: readonly { readonly access_level: AccessLevel; readonly name: string; readonly from: string }[];
  readonly allowed: boolean;
  /** Why not; or what may still be in the way. */
  readonly reason: string;
}

/**
 * Says which operation a call is, who may make it, and whether a user may, with the source of their role. Returns 0
 * when they are allowed, 4 when they are not. Throws `StartError`, as `withOfflineStore` does.
 */
export async function explain(flags: ExplainFlags, config: Config): Promise<number> {
  const { user: given, json, client } = flags;
  const path = flags.path.replace(/[?#].*$/, "").replace(/^\/?(?:api\/v4)?\/?/, "/");
  const found = findOperation(operations, flags.method.toUpperCase(), path, decode);
  if (found === undefined) throw wrongUse("explain", `the API has no ${flags.method.toUpperCase()} ${flags.path}`);
  let isAllowed = false;
  const call = { method: "GET", path: "/users/ID/memberships", user: given } as const;
  await withOfflineStore({ config, verb: "explain", call, client }, async ({ context }) => {
    const user = given === "nobody" ? undefined : userNamed(context, given);
    const explanation = explainFor(context, user, found);
    isAllowed = explanation.allowed;
    if (json) await printJson(explanation);
    else await printTable(["what", "is"], rowsOf(explanation));
  });
  return isAllowed ? 0 : exitCodes.answered4xx;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw wrongUse("explain", `${JSON.stringify(text)} is not a valid encoded text`);
  }
}

function explainFor(
  context: Context,
  user: UserRecord | undefined,
  { operation, path: values }: FoundOperation,
): Explanation {
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
    rule: describeWho(who),
    role: level === undefined ? null : { access_level: level, name: accessLevelName(level) },
    ways: ways.map((way) => ({
      ...{ access_level: way.level, name: accessLevelName(way.level) },
      from: originOf(context, way),
    })),
    allowed: refusal === undefined,
    reason: refusal ?? "allowed; the operation then checks parameters, token scopes and its own rules",
  };
}

/** The group or project of the path, as far as the caller sees it. */
function findSourceFor(context: Context, caller: Caller, { who }: Operation, id: string): Source | undefined {
  if (typeof who === "string") return undefined;
  try {
    return authorizeSource(context, caller, { ...who, level: 0 }, id);
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}

/** In the order of a request. */
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
  const obstacle = obstacleBefore(operation, caller) ?? obstacleAfter(operation, caller, context.edition);
  if (obstacle !== undefined) return sentenceOfObstacle(obstacle, operation);
  if (typeof who === "string") return undefined;
  try {
    authorizeSource(context, caller, who, id);
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return sentenceOf(error, who.in);
    if (error instanceof Error && error.name === "ProjectMoved") return "301: the project has moved; use its new path";
    throw error;
  }
}

function sentenceOfObstacle(obstacle: Obstacle, { tier, isUnknownBelowTier }: Operation): string {
  switch (obstacle) {
    case "anonymous":
      return "401: the caller is anonymous";
    case "no job":
      return "401: only a running job may call";
    case "no administrator":
      return "403: only administrators may call";
    case "edition":
      return `${isUnknownBelowTier === true ? 404 : 403}: requires the edition ${tier} or higher`;
  }
}

function sentenceOf(failure: Failure, kind: string): string {
  if (failure.kind === "not_found") return `404: the ${kind} does not exist, or the user cannot see it`;
  return `${failure.message}: the user's role there is too low`;
}

function originOf({ store }: Context, { channel }: EffectiveMembership): string {
  const source = findSource(store, channel.source);
  const place = `${channel.source.type} ${source === undefined ? channel.source.id : sourcePathOf(store, source)}`;
  if (channel.kind === "direct") return `a direct member of the ${place}`;
  if (channel.kind === "inherited") return `inherited from the ${place} above`;
  return `a member of the invited ${place}, with at most ${accessLevelName(channel.link?.group_access ?? 0)}`;
}

function rowsOf({ user, operation, rule, role, ways, allowed, reason }: Explanation): string[][] {
  return [
    ["user", user],
    ["operation", `${operation.method} ${operation.path}: ${operation.summary}`],
    ["who may", rule],
    ...(role === null ? [] : [["role", `${role.name} (${role.access_level})`]]),
    ...ways.map(({ name, access_level, from }) => ["by", `${name} (${access_level}): ${from}`]),
    ["result", allowed ? reason : `refused, ${reason}`],
  ];
}
