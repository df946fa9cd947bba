/** The rule by which tags of a project's images expire, as parameters, with its checks, and as shown. */

import type { Static } from "@sinclair/typebox";
import { boolean, hash, integer, nullable, optional, text } from "../../../domain/parameters.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import { compilationSteps, compilePattern, patternLengthMax } from "../../../lib/text/linear-pattern.ts";
import {
  type ExpirationPolicy,
  initialExpirationPolicy,
} from "../../registries/container-registry/records-expiration-policy.ts";
import type { ProjectRecord } from "./records.ts";
import type { ContainerExpirationPolicy } from "./schema.ts";

/** Days from one run to the next by `cadence`. */
const cadences: Readonly<Record<string, number>> = { "1d": 1, "7d": 7, "14d": 14, "1month": 30, "3month": 90 };
const keptCounts = [1, 5, 10, 25, 50, 100];
const ages = ["7d", "14d", "30d", "60d", "90d"];
const dayMs = 86_400_000;
/** Steps of a pattern's compilation: four milliseconds. */
const compilationStepsMax = 10_000;

export const expirationPolicyParameter = optional(
  hash({
    cadence: optional(text({ description: "1d, 7d, 14d, 1month or 3month" })),
    enabled: optional(boolean()),
    keep_n: optional(nullable(integer({ description: "1, 5, 10, 25, 50 or 100" }))),
    older_than: optional(nullable(text({ description: "7d, 14d, 30d, 60d or 90d" }))),
    name_regex: optional(nullable(text({ description: "RE2 pattern of tags to remove" }))),
    name_regex_keep: optional(nullable(text({ description: "RE2 pattern of tags to keep" }))),
  }),
);

/** The parts of a policy after a change that differ from the initial ones; undefined for none. */
export function withPolicy(
  before: ProjectRecord["expiration_policy"],
  given: Partial<ExpirationPolicy> | undefined,
): ProjectRecord["expiration_policy"] {
  const initial: Readonly<Record<string, unknown>> = { ...initialExpirationPolicy };
  const all = Object.entries({ ...before, ...given }).filter(
    ([name, value]) => value !== undefined && value !== initial[name],
  );
  return all.length === 0 ? undefined : (Object.fromEntries(all) as Partial<ExpirationPolicy>);
}

/** Every broken rule of a policy, by attribute. */
export function policyProblems(given: ProjectRecord["expiration_policy"]): [attribute: string, text: string][] {
  if (given === undefined) return [];
  const { cadence, enabled, keep_n, older_than, name_regex, name_regex_keep } = {
    ...initialExpirationPolicy,
    ...given,
  };
  const listed = "is not included in the list";
  const problems: [attribute: string, text: string][] = [];
  if (!Object.hasOwn(cadences, cadence)) problems.push(["cadence", listed]);
  if (keep_n !== null && !keptCounts.includes(keep_n)) problems.push(["keep_n", listed]);
  if (older_than !== null && !ages.includes(older_than)) problems.push(["older_than", listed]);
  if (enabled && (name_regex ?? "").trim() === "") problems.push(["name_regex", "can't be blank"]);
  for (const [name, source] of [
    ["name_regex", name_regex],
    ["name_regex_keep", name_regex_keep],
  ] as const) {
    const problem = source === null ? undefined : patternProblem(source);
    if (problem !== undefined) problems.push([name, problem]);
  }
  return problems.map(([name, text]) => [`container_expiration_policy.${name}`, text]);
}

function patternProblem(source: string): string | undefined {
  if (source.length > patternLengthMax) return `is too long (maximum is ${patternLengthMax} characters)`;
  if (compilationSteps(source) > compilationStepsMax) return "not valid RE2 syntax: pattern too large";
  try {
    compilePattern(source);
    return undefined;
  } catch (error) {
    return `not valid RE2 syntax: ${syntaxProblem(error)}`;
  }
}

/** The library's words for a missing bracket are longer than those of the platform, which clients know. */
function syntaxProblem(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text
    .replace(/^error parsing regexp: /, "")
    .replace(/^missing closing (.): /, "missing $1: ")
    .replace(/^missing closing \)$/, "missing )")
    .replaceAll("`", "");
}

export function presentExpirationPolicy({
  created_at,
  expiration_policy,
}: ProjectRecord): Static<typeof ContainerExpirationPolicy> {
  const policy = { ...initialExpirationPolicy, ...expiration_policy };
  const days = cadences[policy.cadence] ?? 1;
  return { ...policy, next_run_at: toDateTime(Date.parse(created_at) + days * dayMs) };
}
