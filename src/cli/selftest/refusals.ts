import { accessLevels } from "../../domain/access-level.ts";
import type { Operation } from "../../modules/kernel/operation.ts";
import { type RefusedCaller, refusedCallers, type StepOptions } from "./scenario.ts";

/** A caller who must get an error, and its status. */
export interface Refusal {
  readonly caller: RefusedCaller;
  readonly status: number;
}

/**
 * Returns the refusals that follow from an operation's declaration, for a call in the private group of the selftest. Skips
 * operations with other credentials, such as those of runners, which ignore access tokens.
 */
export function refusalsOf(operation: Operation, { as, headers, refusals = {} }: StepOptions): readonly Refusal[] {
  if (refusals === false || (as !== undefined && typeof as !== "string") || headers?.["JOB-TOKEN"] !== undefined)
    return [];
  if (operation.http?.isReceiver === true || operation.takesJobToken === "itself") return [];
  const declared: StepOptions["refusals"] = { ...levelRefusals(operation), ...scopeRefusal(operation), ...refusals };
  return refusedCallers.flatMap((caller) => {
    const status = declared[caller];
    return status === false || status === undefined ? [] : [{ caller, status }];
  });
}

function levelRefusals({ who }: Operation): Partial<Record<RefusedCaller, number>> {
  switch (who) {
    case "anyone":
      return {};
    case "job":
    case "signed_in":
      return { anonymous: 401 };
    case "administrator":
    case "administrator_first":
      return { anonymous: 401, guest: 403 };
    default:
      return {
        anonymous: who.isAnonymousWelcome ? 404 : 401,
        stranger: 404,
        ...(who.level > accessLevels.guest ? { guest: 403 } : {}),
      };
  }
}

function scopeRefusal({ scopes, who }: Operation): Partial<Record<RefusedCaller, number>> {
  return scopes === "any" || who === "job" ? {} : { "wrong scope": 403 };
}

/** Returns a scope that the operation does not accept. */
export function wrongScopeFor({ scopes = [] }: Operation): "read_user" | "read_repository" {
  return scopes.includes("read_user") ? "read_repository" : "read_user";
}
