/** The reader of `rules:`, `when:`, `only:` and `except:`. */

import { durationSecondsOf } from "../../../../lib/text/ci-durations.ts";
import type { Budget } from "../budget.ts";
import { type Need, needsOf } from "../needs.ts";
import { booleanOf, isMapping, type Mapping, rawVariablesOf, stringOf, textsOf, variablesOf } from "../values.ts";

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

const stepsPerRule = 3;

/** `rules:`; undefined when there are none. */
export function rulesOf(value: unknown, budget: Budget): Rule[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const rules: readonly unknown[] = value.flat(10);
  budget.charge(rules.length * stepsPerRule);
  return rules.filter(isMapping).map((rule) => ruleOf(rule, budget));
}

function ruleOf(rule: Mapping, budget: Budget): Rule {
  const when = whenOf(rule.when);
  return {
    if: stringOf(rule.if),
    changes: pathsOf(rule.changes),
    exists: pathsOf(rule.exists),
    when,
    start_in: startInOf(rule, when),
    allow_failure: allowFailureOf(rule.allow_failure),
    interruptible: booleanOf(rule.interruptible),
    needs: needsOf(rule.needs, budget),
    variables: variablesOf(rule.variables),
    rawVariables: rawVariablesOf(rule.variables),
  };
}

/** A list, or `{ paths }`. Neither a difference between two branches is known here, nor the files of other projects: both hold. */
function pathsOf(value: unknown): string[] | undefined {
  if (!isMapping(value)) return value === undefined || value === null ? undefined : textsOf(value);
  const isUnknown = ["compare_to", "project"].some((name) => (value[name] ?? null) !== null);
  return isUnknown ? undefined : textsOf(value.paths);
}

export function whenOf(value: unknown): When | undefined {
  return whens.find((each) => each === value);
}

/** Reads the duration from a text; undefined if it is none. */
export function secondsOf(value: unknown): number | undefined {
  return typeof value === "string" ? durationSecondsOf(value) : undefined;
}

/** `start_in` belongs to what is delayed. */
export function startInOf({ start_in }: Mapping, when: When | undefined): string | undefined {
  return when === "delayed" ? stringOf(start_in) : undefined;
}

/** `{ exit_codes }` allows some failures: which, is known when the job has ended. */
export function allowFailureOf(value: unknown): boolean | undefined {
  return isMapping(value) ? false : booleanOf(value);
}

/** `only:` or `except:`; undefined when there is none. */
export function policyOf(value: unknown): RefPolicy | undefined {
  if (value === undefined || value === null) return undefined;
  const { refs, variables, changes, kubernetes } = isMapping(value) ? value : { refs: value };
  return {
    refs: textsOf(refs),
    variables: textsOf(variables),
    changes: pathsOf(changes),
    kubernetes: kubernetes !== undefined && kubernetes !== null,
  };
}
