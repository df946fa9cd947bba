/** The reader of one job. */

import type { Budget } from "./budget.ts";
import { type EnvironmentPlan, environmentOf, onStopOf } from "./environment.ts";
import { kindOfJob } from "./keywords/jobs.ts";
import { type Need, needsOf, outsideNeedsOf } from "./needs.ts";
import { type Copy, readParallel } from "./parallel.ts";
import type { OutsideNeed, TriggerPlan, When } from "./records.ts";
import { exitCodesOf, type RetryPlan, retryOf } from "./retry.ts";
import {
  allowFailureOf,
  policyOf,
  type RefPolicy,
  type Rule,
  rulesOf,
  secondsOf,
  startInOf,
  whenOf,
} from "./rules/rules.ts";
import { readTrigger } from "./trigger.ts";
import { booleanOf, isMapping, type Mapping, rawVariablesOf, stringOf, textsOf, variablesOf } from "./values.ts";

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
  /** Jobs of other pipelines whose artifacts it gets. */
  readonly outsideNeeds: readonly OutsideNeed[];
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
  /** The job that ends the environment. */
  readonly onStop: string | undefined;
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
  /** Steps in the place of a script. */
  readonly run: unknown;
  /** `/pattern/` of the coverage in the log. */
  readonly coverage: string | undefined;
}

const stepsPerJob = 50;

/** A mapping of the file, which fits the table of keywords → the job that it describes. Throws `CiFileError`. */
export function readJob(name: string, job: Mapping, defaults: Mapping, budget: Budget): JobPlan {
  budget.charge(stepsPerJob);
  const inherit = isMapping(job.inherit) ? job.inherit : {};
  const inherited = listOr(inherit.default);
  const isInherited = (key: string) => (typeof inherited === "boolean" ? inherited : inherited.includes(key));
  const of = (key: string) => job[key] ?? (isInherited(key) ? defaults[key] : undefined);
  const isTrigger = kindOfJob(name, job) === "trigger";
  const ofBuild = (key: string) => (isTrigger ? undefined : of(key));
  const when = whenOf(job.when) ?? "on_success";
  return {
    name,
    stage: stringOf(job.stage) ?? "test",
    script: textsOf(job.script),
    before_script: textsOf(ofBuild("before_script")),
    after_script: textsOf(ofBuild("after_script")),
    when,
    start_in: startInOf(job, when),
    allow_failure: allowFailureOf(job.allow_failure),
    allowedExitCodes: isMapping(job.allow_failure) ? exitCodesOf(job.allow_failure.exit_codes) : [],
    tags: textsOf(ofBuild("tags")),
    needs: needsOf(job.needs, budget),
    outsideNeeds: outsideNeedsOf(job.needs),
    dependencies: (job.dependencies ?? null) === null ? undefined : [...new Set(textsOf(job.dependencies))],
    rules: rulesOf(job.rules, budget),
    only: policyOf(job.only),
    except: policyOf(job.except),
    variables: variablesOf(job.variables),
    rawVariables: rawVariablesOf(job.variables),
    inheritedVariables: listOr(inherit.variables),
    copies: readParallel(job.parallel, budget),
    copy: undefined,
    retry: retryOf(ofBuild("retry")),
    timeout: secondsOf(ofBuild("timeout")),
    interruptible: booleanOf(of("interruptible")) ?? false,
    resourceGroup: stringOf(job.resource_group),
    environment: environmentOf(job.environment),
    onStop: onStopOf(job.environment),
    trigger: isTrigger ? readTrigger(job.trigger) : undefined,
    image: ofBuild("image") ?? null,
    services: flat(ofBuild("services")),
    artifacts: ofBuild("artifacts") ?? null,
    cache: flat(ofBuild("cache")),
    hooks: ofBuild("hooks") ?? null,
    idTokens: ofBuild("id_tokens") ?? null,
    secrets: job.secrets ?? null,
    release: job.release ?? null,
    run: job.run ?? null,
    coverage: stringOf(job.coverage),
  };
}

/** A list without the lists in it; anything else as it is, and null for nothing. */
function flat(value: unknown): unknown {
  return Array.isArray(value) ? value.flat(10) : (value ?? null);
}

/** `inherit:`: all, none, or some by name. */
function listOr(value: unknown): boolean | readonly string[] {
  if (value === undefined || value === null) return true;
  return typeof value === "boolean" ? value : textsOf(value);
}
