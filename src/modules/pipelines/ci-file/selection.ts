import { holds, type Variables } from "./expressions.ts";
import type { JobPlan, RefPolicy, Rule, When } from "./jobs.ts";
import { type Patterns, readPattern } from "./patterns.ts";
import type { CiFile } from "./read.ts";

/** What a pipeline is made for, as far as it decides which jobs are in it. */
export interface Occasion {
  readonly ref: string;
  readonly tag: boolean;
  readonly source: string;
  /** Predefined ones, those of the file, those that were given. */
  readonly variables: Variables;
  /** What the file's patterns may cost together is counted here. */
  readonly patterns: Patterns;
}

/** A job that is in the pipeline. */
export interface SelectedJob {
  readonly plan: JobPlan;
  readonly when: Exclude<When, "never">;
  readonly start_in: string | undefined;
  readonly allow_failure: boolean;
  /** Of the job and of the rule that let it in. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Whether `workflow: rules` let the pipeline be, and with which variables. */
export function admitPipeline({ workflowRules }: CiFile, { variables, patterns }: Occasion) {
  if (workflowRules === undefined) return { isLetIn: true, variables: {} };
  const rule = firstThatHolds(workflowRules, variables, patterns);
  return { isLetIn: rule !== undefined && rule.when !== "never", variables: rule?.variables ?? {} };
}

/** The jobs that `rules`, `only` and `except` let in, in the order of the file. Throws `CiFileError`. */
export function selectJobs({ jobs }: CiFile, occasion: Occasion): SelectedJob[] {
  return jobs.map((plan) => select(plan, occasion)).filter((job) => job !== undefined);
}

function select(plan: JobPlan, occasion: Occasion): SelectedJob | undefined {
  const own = withOwn(plan.variables, occasion.variables);
  const rule = plan.rules === undefined ? undefined : firstThatHolds(plan.rules, own, occasion.patterns);
  if (plan.rules !== undefined && rule === undefined) return undefined;
  if (plan.rules === undefined && !isLetIn(plan, { ...occasion, variables: own })) return undefined;
  const when = rule?.when ?? plan.when;
  if (when === "never") return undefined;
  // A manual job of a rule blocks; one of the job's own `when` does not (both unless said).
  const isOptional = when === "manual" && rule?.when === undefined;
  return {
    plan,
    when,
    start_in: rule?.start_in ?? plan.start_in,
    allow_failure: rule?.allow_failure ?? plan.allow_failure ?? isOptional,
    variables: { ...plan.variables, ...rule?.variables },
  };
}

/** A job's variables, below those of the occasion, which are many: they are not copied for each job. */
function withOwn(variables: JobPlan["variables"], above: Variables): Variables {
  const own = new Map(Object.entries(variables));
  return { get: (name) => above.get(name) ?? own.get(name) };
}

function firstThatHolds(rules: readonly Rule[], variables: Variables, patterns: Patterns): Rule | undefined {
  return rules.find((rule) => rule.if === undefined || holds(rule.if, variables, patterns));
}

function isLetIn({ only, except }: JobPlan, occasion: Occasion): boolean {
  if (only !== undefined && !isAskedFor(only, occasion, "every")) return false;
  return except === undefined || !isAskedFor(except, occasion, "some");
}

/** `only` wants each of its parts, `except` one of them. */
function isAskedFor({ refs, variables }: RefPolicy, occasion: Occasion, how: "every" | "some"): boolean {
  const parts = [
    ...(refs.length === 0 ? [] : [refs.some((ref) => namesRef(ref, occasion))]),
    ...(variables.length === 0
      ? []
      : [variables.some((expression) => holds(expression, occasion.variables, occasion.patterns))]),
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
  merge_requests: "merge_request_event",
};

function namesRef(word: string, { ref, tag, source, patterns }: Occasion): boolean {
  const wanted = word.split("@", 1)[0] as string;
  if (wanted === "branches") return !tag;
  if (wanted === "tags") return tag;
  if (Object.hasOwn(sourceWords, wanted)) return sourceWords[wanted] === source;
  const pattern = readPattern(word);
  return pattern === undefined ? wanted === ref : patterns.matches(pattern, ref);
}
