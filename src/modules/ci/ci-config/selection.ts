/** The selection of the jobs that a pipeline has. */

import type { FileMatcher } from "./files.ts";
import type { JobPlan } from "./jobs.ts";
import type { Need } from "./needs.ts";
import type { CiFile } from "./read.ts";
import { type ExpansionBudget, LayeredVariables } from "./rules/expansion.ts";
import { evaluateExpression, type Variables } from "./rules/expressions.ts";
import { type Patterns, readPattern } from "./rules/patterns.ts";
import type { RefPolicy, Rule, When } from "./rules/rules.ts";

type Values = Readonly<Record<string, string>>;

/** Characters of the name of a ref that are read in one step. */
const charactersPerStep = 32;
const stepsPerJob = 20;

/** The properties of a pipeline that decide which jobs are in it. */
export interface PipelineContext {
  readonly ref: string;
  readonly tag: boolean;
  readonly source: string;
  /** The variables of every job, whatever the file says. */
  readonly predefined: Variables;
  /** The variables chosen for this pipeline; they override all others. */
  readonly given: Variables;
  readonly files: FileMatcher;
  /** Counts the cost of all the file's patterns together. */
  readonly patterns: Patterns;
  /** Limits what the file's variables may expand to. */
  readonly room: ExpansionBudget;
}

/** A job that is in the pipeline. */
export interface SelectedJob {
  readonly plan: JobPlan;
  readonly when: Exclude<When, "never">;
  readonly start_in: string | undefined;
  readonly allow_failure: boolean;
  readonly interruptible: boolean;
  readonly needs: readonly Need[] | undefined;
  /** Variables of the job and of the rule that matched. */
  readonly variables: Values;
  /** All that it has. */
  readonly known: Variables;
}

/** The variables that rules see: the given ones, then variables of the job, of the file, and the predefined ones. */
export function variablesFor({ given, predefined, room }: PipelineContext, ...own: readonly Values[]): Variables {
  return new LayeredVariables([given, ...own.map(namedIn)], predefined, room);
}

/** Looks single variables up: a pipeline may have hundreds of jobs, and a file ten thousand variables. */
function namedIn(values: Values): Variables {
  return { get: (name) => (Object.hasOwn(values, name) ? values[name] : undefined) };
}

/** Whether `workflow: rules` let the pipeline be, and with which variables. */
export function evaluateWorkflow({ workflowRules, variables }: CiFile, occasion: PipelineContext) {
  if (workflowRules === undefined) return { isIncluded: true, variables: {} };
  const rule = firstMatchingRule(workflowRules, variablesFor(occasion, variables), occasion);
  return { isIncluded: rule !== undefined && rule.when !== "never", variables: rule?.variables ?? {} };
}

/** The jobs that `rules`, `only` and `except` include, in the order of the file. Throws `CiFileError`. */
export function selectJobs({ jobs }: CiFile, variables: Values, occasion: PipelineContext): SelectedJob[] {
  return jobs.map((plan) => select(plan, variables, occasion)).filter((job) => job !== undefined);
}

function select(plan: JobPlan, ofFile: Values, occasion: PipelineContext): SelectedJob | undefined {
  occasion.patterns.charge(stepsPerJob + Object.keys(plan.variables).length);
  const inherited = inheritedOf(plan, ofFile);
  const own = variablesFor(occasion, plan.variables, inherited);
  const rule = plan.rules === undefined ? undefined : firstMatchingRule(plan.rules, own, occasion);
  if (plan.rules !== undefined && rule === undefined) return undefined;
  if (plan.rules === undefined && !isIncluded(plan, own, occasion)) return undefined;
  const when = rule?.when ?? plan.when;
  if (when === "never") return undefined;
  // A manual job of a rule blocks; one of the job's own `when` does not (both unless said).
  const isOptional = when === "manual" && rule?.when === undefined;
  const variables = { ...plan.variables, ...rule?.variables };
  return {
    plan,
    when,
    start_in: rule?.start_in ?? plan.start_in,
    allow_failure: rule?.allow_failure ?? plan.allow_failure ?? isOptional,
    interruptible: rule?.interruptible ?? plan.interruptible,
    needs: rule?.needs ?? plan.needs,
    variables,
    known: rule === undefined ? own : variablesFor(occasion, variables, inherited),
  };
}

/** Returns the variables of the file that a job inherits. */
function inheritedOf({ inheritedVariables: wanted }: JobPlan, ofFile: Values): Values {
  if (typeof wanted === "boolean") return wanted ? ofFile : {};
  const names = wanted.filter((name) => Object.hasOwn(ofFile, name));
  return Object.fromEntries(names.map((name) => [name, ofFile[name] as string]));
}

/** The first rule that matches. Throws `CiFileError`. */
export function firstMatchingRule(
  rules: readonly Rule[],
  variables: Variables,
  { patterns, files }: Pick<PipelineContext, "patterns" | "files">,
): Rule | undefined {
  return rules.find((rule) => {
    patterns.charge(1);
    return (
      (rule.if === undefined || evaluateExpression(rule.if, variables, patterns)) &&
      (rule.changes === undefined || files.isChanged(rule.changes, variables)) &&
      (rule.exists === undefined || files.exists(rule.exists, variables))
    );
  });
}

function isIncluded({ only, except }: JobPlan, variables: Variables, occasion: PipelineContext): boolean {
  if (only !== undefined && !isAskedFor(only, variables, occasion, "every")) return false;
  return except === undefined || !isAskedFor(except, variables, occasion, "some");
}

/** `only` wants each of its parts, `except` one of them. */
function isAskedFor(
  policy: RefPolicy,
  variables: Variables,
  occasion: PipelineContext,
  how: "every" | "some",
): boolean {
  const { refs, variables: expressions, changes, kubernetes } = policy;
  const parts = [
    ...(refs.length === 0 ? [] : [refs.some((ref) => namesRef(ref, variables, occasion))]),
    ...(expressions.length === 0
      ? []
      : [expressions.some((each) => evaluateExpression(each, variables, occasion.patterns))]),
    ...(changes === undefined ? [] : [occasion.files.isChanged(changes, variables)]),
    ...(kubernetes ? [false] : []),
  ];
  return how === "every" ? parts.every(Boolean) : parts.some(Boolean);
}

const sourceWords: Readonly<Record<string, string>> = {
  pushes: "push",
  web: "web",
  triggers: "trigger",
  api: "api",
  schedules: "schedule",
  pipelines: "pipeline",
  chat: "chat",
  external: "external",
  merge_requests: "merge_request_event",
  external_pull_requests: "external_pull_request_event",
};

/** No path of a project has an `@`, while a pattern may. */
function splitAtProject(word: string): readonly [wanted: string, project?: string] {
  const at = word.lastIndexOf("@");
  const wanted = word.slice(0, Math.max(at, 0));
  const isSplit = at + 1 < word.length && /^(?:\/.*\/[imsU]*|[^/@][^@]*)$/.test(wanted);
  return isSplit ? [wanted, word.slice(at + 1)] : [word];
}

/** `main`, `branches`, `/^v/i`; `@group/project` behind it is where that holds. */
function namesRef(word: string, variables: Variables, { ref, tag, source, patterns }: PipelineContext): boolean {
  patterns.charge(1 + word.length / charactersPerStep);
  const [wanted, project] = splitAtProject(word);
  if (project !== undefined && project !== variables.get("CI_PROJECT_PATH")) return false;
  if (wanted === "branches") return !tag;
  if (wanted === "tags") return tag;
  if (Object.hasOwn(sourceWords, wanted)) return sourceWords[wanted] === source;
  const pattern = readPattern(wanted);
  return pattern === undefined ? wanted === ref : patterns.matches(pattern, ref);
}
