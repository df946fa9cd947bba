import type { Static } from "@sinclair/typebox";
import { invalid, notFound } from "../../../domain/failure.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import type { Context } from "../../kernel/context.ts";
import { type FaultEffect, type FaultRule, faultRules } from "./records.ts";
import type { CreateFault } from "./schema.ts";

/** Each request is compared with every rule. */
const rulesMax = 100;

/** Oldest first, as they are compared. */
export function listFaults({ store }: Context): FaultRule[] {
  const documents = store.of(faultRules);
  return [...documents.by.all.find("all")]
    .sort((one, other) => one - other)
    .map((id) => documents.get(id) as FaultRule);
}

/** Throws 404. */
export function getFault({ store }: Context, id: number): FaultRule {
  const found = store.of(faultRules).get(id);
  if (found === undefined) throw notFound("Fault");
  return found;
}

/**
 * `routes`: the paths of all operations. Throws 400 for effects that exclude each other, a route that is none of them, and one
 * rule too many.
 */
export function createFault(
  context: Context,
  routes: readonly string[],
  { match = {}, effect, ...rest }: Static<typeof CreateFault>,
): FaultRule {
  const { store, clock } = context;
  if (store.of(faultRules).size >= rulesMax) throw invalid(`a sandbox has at most ${rulesMax} rules`);
  requireFittingEffects(effect);
  const route = match.route === undefined ? {} : { route: routeOf(routes, match.route) };
  const { times = null, probability = 1, after = 0 } = rest;
  return store.transact((tx) =>
    tx.insert(faultRules, {
      id: tx.nextId("sandbox_faults"),
      match: { ...match, ...route },
      effect,
      ...{ times, probability, after },
      fitted: 0,
      hits: 0,
      created_at: toDateTime(clock.now()),
    }),
  );
}

/** Throws 404. */
export function deleteFault(context: Context, id: number): void {
  getFault(context, id);
  context.store.transact((tx) => tx.remove(faultRules, id));
}

export function deleteFaults(context: Context): void {
  context.store.transact((tx) => {
    for (const { id } of listFaults(context)) tx.remove(faultRules, id);
  });
}

/** The status, the cut and the body: each request has but one of them. */
function requireFittingEffects(effect: FaultEffect): void {
  const { code, drop, apply_then_drop, truncate_after, bytes_per_second } = effect;
  const ends = [
    code !== undefined ? "code" : undefined,
    drop === true ? "drop" : undefined,
    apply_then_drop === true ? "apply_then_drop" : undefined,
  ].filter((name) => name !== undefined);
  if (ends.length > 1) throw invalid(`effect: ${ends.join(" and ")} exclude each other`);
  const ofBody = truncate_after !== undefined ? "truncate_after" : "bytes_per_second";
  const hasBodyEffect = truncate_after !== undefined || bytes_per_second !== undefined;
  if (hasBodyEffect && ends[0] !== undefined && ends[0] !== "code") {
    throw invalid(`effect: ${ends[0]} and ${ofBody} exclude each other`);
  }
  const isEmpty = Object.values(effect).every((value) => value === undefined || value === false);
  if (isEmpty) {
    throw invalid(
      "effect needs one of code, wait_ms, jitter_ms, drop, apply_then_drop, truncate_after and bytes_per_second",
    );
  }
}

/** The path of an operation as it is declared: `/api/v4/projects/{id}` is `/projects/:id`. Throws 400 without one. */
function routeOf(routes: readonly string[], given: string): string {
  const route = routes.find((each) => shapeOf(each) === shapeOf(given));
  if (route === undefined) throw invalid(`match[route]: no operation has the path ${given}`);
  return route;
}

/** Names of parameters mean nothing. */
function shapeOf(route: string): string {
  return route.replace(/^\/api\/v4(?=\/)/, "").replace(/\{\w+\}|[:*][a-z_]+/g, ":");
}
