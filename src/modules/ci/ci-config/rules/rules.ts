/** The reader of `rules:`, `when:`, `only:` and `except:`. */

import { durationSecondsOf } from "../../../../lib/text/ci-durations.ts";
import type { Budget } from "../budget.ts";
import { type Need, needsOf } from "../needs.ts";
import {
  CiFileError,
  isMapping,
  type Mapping,
  rawVariablesOf,
  requireKnownKeys,
  textsOf,
  variablesOf,
} from "../values.ts";

const whens = ["on_success", "on_failure", "always", "manual", "delayed", "never"] as const;
export type When = (typeof whens)[number];

/** One rule of a job, of `workflow` or of `include`. */
export interface Rule {
  readonly if: string | undefined;
  /** Patterns of paths: one of them has to be changed, or be there. */
  readonly changes: readonly string[] | undefined;
  readonly exists: readonly string[] | undefined;
  readonly when: When | undefined;
  readonly start_in: string | undefined;
  readonly allow_failure: boolean | undefined;
  readonly interruptible: boolean | undefined;
  readonly needs: readonly Need[] | undefined;
  readonly variables: Readonly<Record<string, string>>;
  /** Names of those variables that are not expanded. */
  readonly rawVariables: ReadonlySet<string>;
}

/** `only` or `except`: words for kinds of refs, names, patterns; expressions over variables; paths that were changed. */
export interface RefPolicy {
  readonly refs: readonly string[];
  readonly variables: readonly string[];
  readonly changes: readonly string[] | undefined;
  /** A cluster is asked for, and there is none. */
  readonly kubernetes: boolean;
}

const ruleKeys = new Set([
  ...["if", "changes", "exists", "when", "start_in", "allow_failure", "variables", "needs", "interruptible"],
  "auto_cancel",
]);
const policyKeys = new Set(["refs", "variables", "changes", "kubernetes"]);
const stepsPerRule = 3;
/** The most paths of one rule, or of one `only`. */
const pathsMax = 50;

/** `rules:`; undefined when there are none. Throws `CiFileError`. */
export function rulesOf(value: unknown, label: string, budget: Budget): Rule[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) throw new CiFileError(`${label}:rules config should be an array of hashes`);
  const rules: readonly unknown[] = value.flat(10);
  budget.charge(rules.length * stepsPerRule);
  return rules.map((rule) => ruleOf(rule, `${label}:rules:rule`, budget));
}

function ruleOf(rule: unknown, label: string, budget: Budget): Rule {
  if (!isMapping(rule)) throw new CiFileError(`${label} config should be a hash`);
  requireKnownKeys(rule, ruleKeys, label);
  if (rule.if !== undefined && rule.if !== null && typeof rule.if !== "string") {
    throw new CiFileError(`${label} if should be a string`);
  }
  const when = whenOf(rule.when, label);
  return {
    if: rule.if ?? undefined,
    changes: pathsOf(rule.changes, `${label}:changes`, ["paths", "compare_to"]),
    exists: pathsOf(rule.exists, `${label}:exists`, ["paths"]),
    when,
    start_in: startInOf(rule, when, label),
    allow_failure: allowFailureOf(rule.allow_failure, label),
    interruptible: booleanOf(rule.interruptible, `${label} interruptible`),
    needs: needsOf(rule.needs, `${label}:needs`, budget),
    variables: variablesOf(rule.variables, label),
    rawVariables: rawVariablesOf(rule.variables),
  };
}

/** A list, or `{ paths }`. */
function pathsOf(value: unknown, label: string, keys: readonly string[]): string[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (isMapping(value)) {
    requireKnownKeys(value, new Set(keys), label);
    // The difference between two branches is not known here.
    if (value.compare_to !== undefined) throw new CiFileError(`${label} compare_to is not supported`);
  }
  const paths = textsOf(isMapping(value) ? value.paths : value, label);
  if (paths.length > pathsMax) throw new CiFileError(`${label} config is too long (maximum is ${pathsMax})`);
  return paths;
}

export function whenOf(value: unknown, label: string): When | undefined {
  if (value === undefined || value === null) return undefined;
  const when = whens.find((each) => each === value);
  if (when === undefined) throw new CiFileError(`${label} when should be one of: ${whens.join(", ")}`);
  return when;
}

const weekSeconds = 7 * 24 * 60 * 60;

/** Reads the duration from a text or a number; undefined if it is none. */
export function secondsOf(value: unknown): number | undefined {
  return typeof value === "string" || typeof value === "number" ? durationSecondsOf(String(value)) : undefined;
}

/** `start_in` belongs to what is delayed, and nothing is delayed without. */
export function startInOf(mapping: Mapping, when: When | undefined, label: string): string | undefined {
  const { start_in } = mapping;
  if (when !== "delayed") {
    if (start_in !== undefined && start_in !== null) throw new CiFileError(`${label} start in must be blank`);
    return undefined;
  }
  const seconds = secondsOf(start_in);
  if (seconds === undefined) throw new CiFileError(`${label} start in should be a duration`);
  if (seconds > weekSeconds) throw new CiFileError(`${label} start in should not exceed the limit`);
  return String(start_in);
}

/** `{ exit_codes }` allows some failures: which, is known when the job has ended. */
export function allowFailureOf(value: unknown, label: string): boolean | undefined {
  if (isMapping(value)) return false;
  try {
    return booleanOf(value, label);
  } catch (error) {
    if (!(error instanceof CiFileError)) throw error;
    throw new CiFileError(`${label}:allow_failure config should be a boolean value or a hash`, { cause: error });
  }
}

export function booleanOf(value: unknown, label: string): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "boolean") return value;
  throw new CiFileError(`${label} should be a boolean value`);
}

/** `only:` or `except:`; undefined when there is none. Throws `CiFileError`. */
export function policyOf(value: unknown, label: string): RefPolicy | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isMapping(value)) {
    return { refs: textsOf(value, label), variables: [], changes: undefined, kubernetes: false };
  }
  requireKnownKeys(value, policyKeys, label);
  return {
    refs: textsOf(value.refs, `${label}:refs`),
    variables: textsOf(value.variables, `${label}:variables`),
    changes: pathsOf(value.changes, `${label}:changes`, []),
    kubernetes: value.kubernetes !== undefined && value.kubernetes !== null,
  };
}
