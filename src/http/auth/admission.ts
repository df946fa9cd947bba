import type { Caller } from "../../domain/caller.ts";
import { type Edition, includesTier } from "../../domain/edition.ts";
import { forbidden, forbiddenWith, notFound, unauthenticated } from "../../domain/failure.ts";
import { isAnonymousWelcome, type Operation } from "../../modules/kernel/operation.ts";

/** The reason why an operation refuses a caller, independent of any group or project. */
export type Refusal = "anonymous" | "no job" | "no administrator" | "edition";

/** Returns the refusal that comes before the parameters are read; undefined for none. */
export function refusalBefore({ who }: Operation, caller: Caller): Refusal | undefined {
  if (caller.user === undefined && !isAnonymousWelcome(who)) return "anonymous";
  if (who === "job" && caller.job === undefined) return "no job";
  if (who === "administrator_first" && caller.user?.is_admin !== true) return "no administrator";
  return undefined;
}

/** Returns the refusal that comes after the parameters are checked; undefined for none. */
export function refusalAfter({ who, tier }: Operation, caller: Caller, edition: Edition): Refusal | undefined {
  if (who === "administrator" && caller.user?.is_admin !== true) return "no administrator";
  if (tier !== undefined && !includesTier(edition, tier)) return "edition";
  return undefined;
}

/** Throws 401, 403 or 404 for a refusal. */
export function refuse(refusal: Refusal | undefined, { who, http }: Operation): void {
  if (refusal === undefined) return;
  if (refusal === "anonymous") throw unauthenticated();
  if (refusal === "no job") throw notFound("Job");
  if (refusal === "no administrator" && who === "administrator" && http?.forbiddenText !== undefined) {
    throw forbiddenWith(http.forbiddenText);
  }
  throw forbidden();
}

/** Describes a refusal, such as `only administrators may call`. */
export function describeRefusal(refusal: Refusal, { tier }: Operation): string {
  switch (refusal) {
    case "anonymous":
      return "the caller is anonymous";
    case "no job":
      return "only a running job may call";
    case "no administrator":
      return "only administrators may call";
    case "edition":
      return `requires the edition ${tier} or higher`;
  }
}
