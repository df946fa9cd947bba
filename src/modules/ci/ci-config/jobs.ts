/** The reader of one job, and of `default:`. */

import type { Budget } from "./budget.ts";
import { type EnvironmentPlan, environmentOf } from "./environment.ts";
import { type Need, needsOf } from "./needs.ts";
import { type Copy, readParallel } from "./parallel.ts";
import { exitCodesOf, type RetryPlan, retryOf } from "./retry.ts";
import {
  allowFailureOf,
  booleanOf,
  policyOf,
  type RefPolicy,
  type Rule,
  rulesOf,
  secondsOf,
  startInOf,
  type When,
  whenOf,
} from "./rules/rules.ts";
import { readTrigger, type TriggerPlan } from "./trigger.ts";
import {
  CiFileError,
  isMapping,
  type Mapping,
  rawVariablesOf,
  requireKnownKeys,
  textsOf,
  variablesOf,
} from "./values.ts";

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
  /** undefined: all of the stages before. */
  readonly needs: readonly Need[] | undefined;
  /** Names of jobs whose artifacts it gets; undefined: of all that it waits for. */
  readonly dependencies: readonly string[] | undefined;
  readonly rules: readonly Rule[] | undefined;
  readonly only: RefPolicy | undefined;
  readonly except: RefPolicy | undefined;
  readonly variables: Readonly<Record<string, string>>;
  /** Names of those variables that are not expanded. */
  readonly rawVariables: ReadonlySet<string>;
  /** Variables of the file that it has, too; `true`: all. */
  readonly inheritedVariables: boolean | readonly string[];
  /** The jobs that are made of it; undefined: one. */
  readonly copies: readonly Copy[] | undefined;
  /** The position among the copies that `parallel:` made; undefined: there are none. */
  readonly copy: Copy | undefined;
  readonly retry: RetryPlan | undefined;
  /** Seconds. */
  readonly timeout: number | undefined;
  readonly interruptible: boolean;
  readonly resourceGroup: string | undefined;
  readonly environment: EnvironmentPlan | undefined;
  /** No runner takes a job with one. */
  readonly trigger: TriggerPlan | undefined;
  /** Values as they are in the file. */
  readonly image: unknown;
  readonly services: unknown;
  readonly artifacts: unknown;
  readonly cache: unknown;
  readonly hooks: unknown;
  readonly idTokens: unknown;
  readonly secrets: unknown;
  readonly release: unknown;
  /** `/pattern/` of the coverage in the log. */
  readonly coverage: string | undefined;
}

const commonKeys = [
  ...["extends", "stage", "type", "only", "except", "rules", "variables", "inherit", "allow_failure", "when", "needs"],
  ...["resource_group", "environment", "parallel", "interruptible", "tags", "inputs", "manual_confirmation"],
];
const bridgeKeys = new Set([...commonKeys, "trigger"]);
/** The last ones are for services that do not exist here: a job does the same without them. */
const jobKeys = new Set([
  ...commonKeys,
  ...["script", "before_script", "after_script", "image", "services", "artifacts", "cache", "dependencies"],
  ...["start_in", "coverage", "retry", "timeout", "hooks", "release", "pages", "publish", "secrets", "id_tokens"],
  ...["identity", "dast_configuration", "run"],
]);
const defaultKeys = [
  ...["image", "services", "before_script", "after_script", "cache", "artifacts", "tags", "retry", "timeout"],
  ...["interruptible", "hooks", "id_tokens", "identity"],
];
const knownDefaults: ReadonlySet<string> = new Set(defaultKeys);
const nameLengthMax = 255;
/** There are fewer. */
const tagsLimit = 50;
const stepsPerJob = 50;
const monthSeconds = 31 * 24 * 60 * 60;

/** `default:`. Throws `CiFileError`. */
export function requireValidDefaults(defaults: Mapping): void {
  requireKnownKeys(defaults, knownDefaults, "default");
}

/** A mapping of the file → the job that it describes. Throws `CiFileError`. */
export function readJob(name: string, job: Mapping, defaults: Mapping, budget: Budget): JobPlan {
  budget.charge(stepsPerJob);
  const label = `jobs:${name}`;
  const inherit = isMapping(job.inherit) ? job.inherit : {};
  const inherited = listOr(inherit.default, `${label}:inherit:default`);
  const isInherited = (key: string) => (typeof inherited === "boolean" ? inherited : inherited.includes(key));
  const of = (key: string) => job[key] ?? (isInherited(key) ? defaults[key] : undefined);
  const isBridge = job.trigger !== undefined && job.trigger !== null && job.script === undefined;
  requireKnownKeys(job, isBridge ? bridgeKeys : jobKeys, label);
  const script = textsOf(job.script, `${label}:script`);
  if (script.length === 0 && !isBridge) {
    throw new CiFileError(`${label} config should implement the script:, run:, or trigger: keyword`);
  }
  const stage = job.stage ?? job.type ?? "test";
  if (typeof stage !== "string") throw new CiFileError(`${label}:stage config should be a string`);
  const when = whenOf(job.when, label) ?? "on_success";
  const copies = readParallel(job.parallel, `${label}:parallel`, budget);
  const longest = name.length + Math.max(0, ...(copies ?? []).map(({ suffix }) => suffix.length));
  if (longest > nameLengthMax) throw new CiFileError(`${label} name is too long (maximum is ${nameLengthMax})`);
  return {
    name,
    stage,
    script,
    before_script: textsOf(of("before_script"), `${label}:before_script`),
    after_script: textsOf(of("after_script"), `${label}:after_script`),
    when,
    start_in: startInOf(job, when, label),
    allow_failure: allowFailureOf(job.allow_failure, label),
    allowedExitCodes: allowedExitCodesOf(job.allow_failure, label),
    tags: tagsOf(of("tags"), `${label}:tags`),
    needs: needsOf(job.needs, `${label}:needs`, budget),
    dependencies: isGiven(job.dependencies)
      ? [...new Set(textsOf(job.dependencies, `${label}:dependencies`))]
      : undefined,
    ...conditionsOf(job, label, budget),
    variables: variablesOf(job.variables, label),
    rawVariables: rawVariablesOf(job.variables),
    inheritedVariables: listOr(inherit.variables, `${label}:inherit:variables`),
    copies,
    copy: undefined,
    retry: retryOf(of("retry"), `${label}:retry`),
    timeout: timeoutOf(of("timeout"), label),
    interruptible: booleanOf(of("interruptible"), `${label} interruptible`) ?? false,
    resourceGroup: resourceGroupOf(job.resource_group, label),
    environment: environmentOf(job.environment, `${label}:environment`),
    trigger: isBridge ? readTrigger(job.trigger, `${label}:trigger`) : undefined,
    image: shaped(of("image"), `${label}:image`, "a hash or a string", isText, isMapping),
    services: shaped(of("services"), `${label}:services`, "an array", Array.isArray),
    artifacts: shaped(of("artifacts"), `${label}:artifacts`, "a hash", isMapping),
    cache: shaped(of("cache"), `${label}:cache`, "a hash or an array of hashes", isMapping, Array.isArray),
    hooks: shaped(of("hooks"), `${label}:hooks`, "a hash", isMapping),
    idTokens: shaped(of("id_tokens"), `${label}:id_tokens`, "a hash", isMapping),
    secrets: shaped(job.secrets, `${label}:secrets`, "a hash", isMapping),
    release: shaped(job.release, `${label}:release`, "a hash", isMapping),
    coverage: typeof job.coverage === "string" ? job.coverage : undefined,
  };
}

function conditionsOf(job: Mapping, label: string, budget: Budget): Pick<JobPlan, "rules" | "only" | "except"> {
  const rules = rulesOf(job.rules, label, budget);
  const others = ["only", "except"].filter((key) => isGiven(job[key]));
  if (rules !== undefined && others.length > 0) {
    throw new CiFileError(`${label} config key may not be used with \`rules\`: ${others.join(", ")}`);
  }
  return { rules, only: policyOf(job.only, `${label}:only`), except: policyOf(job.except, `${label}:except`) };
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

/** The value for runners; throws unless it has one of the shapes. */
function shaped(value: unknown, label: string, words: string, ...shapes: ((value: unknown) => boolean)[]): unknown {
  if (!isGiven(value)) return null;
  if (shapes.some((isIt) => isIt(value))) return value;
  throw new CiFileError(`${label} config should be ${words}`);
}

function tagsOf(value: unknown, label: string): string[] {
  const tags = textsOf(value, label);
  if (tags.length >= tagsLimit)
    throw new CiFileError(`${label} config must be less than the limit of ${tagsLimit} tags`);
  return tags;
}

/** `inherit:`: all, none, or some by name. */
function listOr(value: unknown, label: string): boolean | readonly string[] {
  if (value === undefined || value === null) return true;
  return typeof value === "boolean" ? value : textsOf(value, label);
}

function allowedExitCodesOf(allowFailure: unknown, label: string): number[] {
  return isMapping(allowFailure) ? exitCodesOf(allowFailure.exit_codes, `${label}:allow_failure`) : [];
}

function timeoutOf(value: unknown, label: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  const seconds = secondsOf(value);
  if (seconds === undefined || seconds === 0) throw new CiFileError(`${label}:timeout config should be a duration`);
  if (seconds > monthSeconds) throw new CiFileError(`${label}:timeout config should not exceed the limit`);
  return seconds;
}

function resourceGroupOf(value: unknown, label: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string" && value !== "") return value;
  throw new CiFileError(`${label} resource group should be a string`);
}
