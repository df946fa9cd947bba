/** The reader of `rules:`, `when:`, `only:` and `except:`. */

import { durationSecondsOf } from "../../../../lib/text/ci-durations.ts";
import type { Budget } from "../budget.ts";
import { type Need, needsOf } from "../needs.ts";
import { jobFailureWords, newCommitWords, type When, whens } from "../records.ts";
import { booleanOf, isMapping, type Mapping, rawVariablesOf, stringOf, textsOf, variablesOf } from "../values.ts";

/** `changes:`: patterns of paths, one of which has to be of a file that was changed. */
export interface Changes {
  readonly paths: readonly string[];
  /** A branch, tag or commit since which it has to be changed, not expanded yet; undefined: by the push. */
  readonly compareTo: string | undefined;
}

/** `exists:`: patterns of paths, one of which has to be of a file that is there. */
export interface Exists {
  readonly paths: readonly string[];
  /** The full path of another project, not expanded yet; undefined: the pipeline's own. */
  readonly project?: string | undefined;
  /** A branch, tag or commit there, not expanded yet; undefined: the default branch. */
  readonly ref?: string | undefined;
}

/** `auto_cancel:` of a workflow or of one of its rules. */
export interface AutoCancel {
  readonly on_new_commit?: (typeof newCommitWords)[number];
  readonly on_job_failure?: (typeof jobFailureWords)[number];
}

/** One rule of a job, of `workflow` or of `include`. */
export interface Rule {
  readonly if: string | undefined;
  readonly changes: Changes | undefined;
  readonly exists: Exists | undefined;
  readonly when: When | undefined;
  readonly start_in: string | undefined;
  readonly allow_failure: boolean | undefined;
  readonly interruptible: boolean | undefined;
  readonly needs: readonly Need[] | undefined;
  readonly autoCancel: AutoCancel | undefined;
  readonly variables: Readonly<Record<string, string>>;
  /** Names of those variables that are not expanded. */
  readonly rawVariables: ReadonlySet<string>;
}

/** `only` or `except`: words for kinds of refs, names, patterns; expressions over variables; paths that were changed. */
export interface RefPolicy {
  readonly refs: readonly string[];
  readonly variables: readonly string[];
  readonly changes: Changes | undefined;
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
    changes: changesOf(rule.changes),
    exists: existsOf(rule.exists),
    when,
    start_in: startInOf(rule, when),
    allow_failure: allowFailureOf(rule.allow_failure),
    interruptible: booleanOf(rule.interruptible),
    needs: needsOf(rule.needs, budget),
    autoCancel: autoCancelOf(rule.auto_cancel),
    variables: variablesOf(rule.variables),
    rawVariables: rawVariablesOf(rule.variables),
  };
}

/** A list, or `{ paths, compare_to }`. */
function changesOf(value: unknown): Changes | undefined {
  if (value === undefined || value === null) return undefined;
  return isMapping(value)
    ? { paths: textsOf(value.paths), compareTo: typeof value.compare_to === "string" ? value.compare_to : undefined }
    : { paths: textsOf(value), compareTo: undefined };
}

/** A list, or `{ paths, project, ref }`. */
function existsOf(value: unknown): Exists | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isMapping(value)) return { paths: textsOf(value) };
  return { paths: textsOf(value.paths), project: stringOf(value.project), ref: stringOf(value.ref) };
}

/** undefined when it says nothing. */
export function autoCancelOf(value: unknown): AutoCancel | undefined {
  if (!isMapping(value)) return undefined;
  const on_new_commit = newCommitWords.find((word) => word === value.on_new_commit);
  const on_job_failure = jobFailureWords.find((word) => word === value.on_job_failure);
  if (on_new_commit === undefined && on_job_failure === undefined) return undefined;
  return {
    ...(on_new_commit === undefined ? {} : { on_new_commit }),
    ...(on_job_failure === undefined ? {} : { on_job_failure }),
  };
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
    changes: changesOf(changes),
    kubernetes: kubernetes !== undefined && kubernetes !== null,
  };
}
