import { readTrigger, type TriggerPlan } from "./trigger.ts";
import { CiFileError, isMapping, type Mapping, textsOf, variablesOf } from "./values.ts";

export const whens = ["on_success", "on_failure", "always", "manual", "delayed", "never"] as const;
export type When = (typeof whens)[number];

/** One rule of a job or of `workflow`. */
export interface Rule {
  readonly if: string | undefined;
  readonly when: When | undefined;
  readonly start_in: string | undefined;
  readonly allow_failure: boolean | undefined;
  readonly variables: Readonly<Record<string, string>>;
}

/** `only` or `except`: words for kinds of refs, names, patterns; and expressions over variables. */
export interface RefPolicy {
  readonly refs: readonly string[];
  readonly variables: readonly string[];
}

/** A job as the file describes it, `extends` and `default` worked in. */
export interface JobPlan {
  readonly name: string;
  readonly stage: string;
  readonly script: readonly string[];
  readonly before_script: readonly string[];
  readonly after_script: readonly string[];
  readonly when: When;
  /** `30 minutes`; for delayed jobs. */
  readonly start_in: string | undefined;
  /** undefined: what follows from `when`. */
  readonly allow_failure: boolean | undefined;
  /** `allow_failure: { exit_codes }`. */
  readonly allowedExitCodes: readonly number[];
  readonly tags: readonly string[];
  /** Names of jobs; undefined: all of the stages before. */
  readonly needs: readonly string[] | undefined;
  readonly rules: readonly Rule[] | undefined;
  readonly only: RefPolicy | undefined;
  readonly except: RefPolicy | undefined;
  readonly variables: Readonly<Record<string, string>>;
  /** No runner takes a job with one. */
  readonly trigger: TriggerPlan | undefined;
  /** As the file has them. */
  readonly image: unknown;
  readonly services: unknown;
  readonly artifacts: unknown;
  readonly cache: unknown;
}

/** A mapping of the file → the job that it describes. Throws `CiFileError`. */
export function readJob(name: string, job: Mapping, defaults: Mapping): JobPlan {
  const label = `jobs:${name}`;
  const of = (key: string) => job[key] ?? defaults[key];
  const trigger =
    job.trigger === undefined || job.trigger === null ? undefined : readTrigger(job.trigger, `${label}:trigger`);
  const script = textsOf(job.script, `${label}:script`);
  if (script.length === 0 && trigger === undefined) {
    throw new CiFileError(`${label} config should implement the script:, run:, or trigger: keyword`);
  }
  const stage = job.stage ?? "test";
  if (typeof stage !== "string") throw new CiFileError(`${label}:stage config should be a string`);
  return {
    name,
    stage,
    script,
    before_script: textsOf(of("before_script"), `${label}:before_script`),
    after_script: textsOf(of("after_script"), `${label}:after_script`),
    when: whenOf(job.when, label) ?? "on_success",
    start_in: typeof job.start_in === "string" ? job.start_in : undefined,
    allow_failure: allowFailureOf(job.allow_failure, label),
    allowedExitCodes: exitCodesOf(job.allow_failure),
    tags: textsOf(of("tags"), `${label}:tags`),
    needs: needsOf(job.needs, label),
    rules: rulesOf(job.rules, label),
    only: policyOf(job.only, `${label}:only`),
    except: policyOf(job.except, `${label}:except`),
    variables: variablesOf(job.variables, label),
    trigger,
    image: of("image") ?? null,
    services: of("services") ?? null,
    artifacts: of("artifacts") ?? null,
    cache: of("cache") ?? null,
  };
}

/** `rules:` of a job or of `workflow`; undefined when there are none. */
export function rulesOf(value: unknown, label: string): Rule[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) throw new CiFileError(`${label}:rules config should be an array of hashes`);
  return value.flat(10).map((rule: unknown) => {
    if (!isMapping(rule)) throw new CiFileError(`${label}:rules:rule config should be a hash`);
    if (rule.if !== undefined && typeof rule.if !== "string") {
      throw new CiFileError(`${label}:rules:rule if should be a string`);
    }
    return {
      if: rule.if,
      when: whenOf(rule.when, `${label}:rules:rule`),
      start_in: typeof rule.start_in === "string" ? rule.start_in : undefined,
      allow_failure: allowFailureOf(rule.allow_failure, `${label}:rules:rule`),
      variables: variablesOf(rule.variables, `${label}:rules:rule`),
    };
  });
}

function whenOf(value: unknown, label: string): When | undefined {
  if (value === undefined || value === null) return undefined;
  const when = whens.find((each) => each === value);
  if (when === undefined) throw new CiFileError(`${label} when should be one of: ${whens.join(", ")}`);
  return when;
}

/** `{ exit_codes }` allows some failures: which, is known when the job has ended. */
function allowFailureOf(value: unknown, label: string): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "boolean") return value;
  if (isMapping(value)) return false;
  throw new CiFileError(`${label}:allow_failure config should be a boolean value or a hash`);
}

function exitCodesOf(allowFailure: unknown): number[] {
  const codes = isMapping(allowFailure) ? allowFailure.exit_codes : [];
  return [codes].flat().filter((code) => typeof code === "number");
}

function needsOf(value: unknown, label: string): string[] | undefined {
  if (value === undefined || value === null) return undefined;
  const items: readonly unknown[] = Array.isArray(value) ? value.flat(10) : [value];
  return items.map((item) => {
    const name = isMapping(item) ? item.job : item;
    if (typeof name !== "string") throw new CiFileError(`${label}:needs config should be an array of job names`);
    return name;
  });
}

function policyOf(value: unknown, label: string): RefPolicy | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isMapping(value)) return { refs: textsOf(value, label), variables: [] };
  return { refs: textsOf(value.refs, `${label}:refs`), variables: textsOf(value.variables, `${label}:variables`) };
}
