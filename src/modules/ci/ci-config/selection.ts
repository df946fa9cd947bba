/** The selection of the jobs that a pipeline has. */

import { type FileMatcher, RuleError } from "./files.ts";
import type { JobPlan } from "./jobs.ts";
import type { Need } from "./needs.ts";
import type { CiFile } from "./read.ts";
import type { When } from "./records.ts";
import {
  belowUser,
  type ExpansionBudget,
  expandVariables,
  LayeredVariables,
  type VariableLayer,
} from "./rules/expansion.ts";
import { evaluateExpression, type Variables } from "./rules/expressions.ts";
import { type Patterns, readPattern } from "./rules/patterns.ts";
import type { AutoCancel, RefPolicy, Rule } from "./rules/rules.ts";
import { CiFileError } from "./values.ts";

type Values = Readonly<Record<string, string>>;

/** Variables of one place of the file, and the names of those that are not expanded. */
interface Declared {
  readonly variables: Values;
  readonly rawVariables: ReadonlySet<string>;
}

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
  /** The variables of one job; `environmentName` expands the name of its environment, and is called when it is needed. */
  readonly predefinedOf: (plan: JobPlan, environmentName: () => string | undefined) => Variables;
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
  readonly rawVariables: ReadonlySet<string>;
  /** The values of the file that it inherits. */
  readonly inherited: Declared;
  /** The expanded name of its environment; undefined for none. */
  readonly environmentName: string | undefined;
  /** All that it has. */
  readonly known: Variables;
}

/** The variables that `workflow` sees: the given ones, those of the user, of the file, and the predefined ones. */
export function variablesFor({ given, predefined, room }: PipelineContext, declared: Declared): Variables {
  return new LayeredVariables([given, belowUser(layerOf(declared), predefined)], predefined, room);
}

/** Looks single variables up: a pipeline may have hundreds of jobs, and a file ten thousand variables. */
function layerOf({ variables, rawVariables }: Declared): VariableLayer {
  return {
    get: (name) => (Object.hasOwn(variables, name) ? variables[name] : undefined),
    isRaw: (name) => rawVariables.has(name),
  };
}

/** The variables below, and above them others, which replace those of their names. */
function declaredOver(below: Declared, above: Declared): Declared {
  return {
    variables: { ...below.variables, ...above.variables },
    rawVariables: new Set([
      ...[...below.rawVariables].filter((name) => !Object.hasOwn(above.variables, name)),
      ...above.rawVariables,
    ]),
  };
}

/** The answer of `workflow:`. */
interface Workflow extends Declared {
  readonly isIncluded: boolean;
  readonly autoCancel: AutoCancel | undefined;
}

/** Applies `workflow:`: the rule that matches decides, and adds to what the file says for the whole pipeline. */
export function evaluateWorkflow(file: CiFile, occasion: PipelineContext): Workflow {
  const { workflowRules, variables, rawVariables, autoCancel } = file;
  if (workflowRules === undefined) return { isIncluded: true, variables, rawVariables, autoCancel };
  const rule = workflowRuleOf(workflowRules, variablesFor(occasion, file), occasion);
  if (rule === undefined) return { isIncluded: false, variables, rawVariables, autoCancel };
  const both = rule.autoCancel === undefined ? autoCancel : { ...autoCancel, ...rule.autoCancel };
  return { isIncluded: rule.when !== "never", ...declaredOver(file, rule), autoCancel: both };
}

/** A comparison with an unknown ref filters the pipeline out; it is not an error. */
function workflowRuleOf(rules: readonly Rule[], variables: Variables, occasion: PipelineContext): Rule | undefined {
  try {
    return firstMatchingRule(rules, variables, occasion);
  } catch (error) {
    if (error instanceof RuleError) return undefined;
    throw error;
  }
}

/** The jobs that `rules`, `only` and `except` include, in the order of the file. Throws `CiFileError`. */
export function selectJobs({ jobs }: CiFile, ofFile: Declared, occasion: PipelineContext): SelectedJob[] {
  return jobs.map((plan) => select(plan, ofFile, occasion)).filter((job) => job !== undefined);
}

function select(plan: JobPlan, ofFile: Declared, occasion: PipelineContext): SelectedJob | undefined {
  occasion.patterns.charge(stepsPerJob + Object.keys(plan.variables).length);
  const inherited = inheritedOf(plan, ofFile);
  const own = variablesOfJob(plan, [plan, inherited], occasion);
  const rule = plan.rules === undefined ? undefined : ruleOfJob(plan.name, plan.rules, own.known, occasion);
  if (plan.rules !== undefined && rule === undefined) return undefined;
  if (plan.rules === undefined && !isIncluded(plan, own.known, occasion)) return undefined;
  const when = rule?.when ?? plan.when;
  if (when === "never") return undefined;
  // A manual job of a rule blocks; one of the job's own `when` does not (both unless said).
  const isOptional = when === "manual" && rule?.when === undefined;
  const declared = rule === undefined ? plan : declaredOver(plan, rule);
  const { known, environmentName } =
    rule === undefined ? own : variablesOfJob({ ...plan, when }, [declared, inherited], occasion);
  return {
    plan,
    when,
    start_in: rule?.start_in ?? plan.start_in,
    allow_failure: rule?.allow_failure ?? plan.allow_failure ?? isOptional,
    interruptible: rule?.interruptible ?? plan.interruptible,
    needs: rule?.needs ?? plan.needs,
    variables: declared.variables,
    rawVariables: declared.rawVariables,
    inherited,
    environmentName: environmentName(),
    known,
  };
}

function ruleOfJob(
  name: string,
  rules: readonly Rule[],
  variables: Variables,
  occasion: PipelineContext,
): Rule | undefined {
  try {
    return firstMatchingRule(rules, variables, occasion);
  } catch (error) {
    throw error instanceof RuleError ? new CiFileError(`Failed to parse rule for ${name}: ${error.message}`) : error;
  }
}

/**
 * The variables of a job: the given ones, those of the user, of the job, of the file that it inherits, and the predefined ones. The name of its environment may name all of them but those of the environment.
 */
function variablesOfJob(
  plan: JobPlan,
  declared: readonly Declared[],
  { given, predefinedOf, room }: PipelineContext,
): { readonly known: Variables; readonly environmentName: () => string | undefined } {
  const known = (predefined: Variables) =>
    new LayeredVariables([given, ...declared.map((each) => belowUser(layerOf(each), predefined))], predefined, room);
  const { environment } = plan;
  let expanded: string | undefined;
  const environmentName = () => {
    if (environment === undefined) return undefined;
    expanded ??= expandVariables(environment.name, known(predefinedOf(plan, () => undefined)), room);
    return expanded;
  };
  return { known: known(predefinedOf(plan, environmentName)), environmentName };
}

/** Returns the variables of the file that a job inherits. */
function inheritedOf({ inheritedVariables: wanted }: JobPlan, ofFile: Declared): Declared {
  if (wanted === true) return ofFile;
  const names = wanted === false ? [] : wanted.filter((name) => Object.hasOwn(ofFile.variables, name));
  return {
    variables: Object.fromEntries(names.map((name) => [name, ofFile.variables[name] as string])),
    rawVariables: ofFile.rawVariables,
  };
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
