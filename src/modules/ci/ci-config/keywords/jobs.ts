/** The entries of jobs. */

import { isMapping, type Mapping } from "../values.ts";
import { artifacts, oneOfWords } from "./artifacts.ts";
import { allowFailure, environment, inherit, retry } from "./behaviour.ts";
import { caches } from "./caches.ts";
import {
  aBoolean,
  absent,
  aMapping,
  aText,
  duration,
  isPresent,
  listedMappings,
  mappingOrBoolean,
  present,
  textOrTexts,
  texts,
} from "./checks.ts";
import { disallowedKeys, exclusiveKeys, knownKeys } from "./checks-keys.ts";
import { type Check, type Entry, key, type LastRule, needed, type Rule, ruleIf, whole } from "./entry.ts";
import { identity, idTokens, inputs, pages, release, secrets } from "./external.ts";
import { image, services } from "./images.ts";
import { buildNeeds, dependenciesAreNeeded, parallel, parallelTrigger, triggerNeeds } from "./needs.ts";
import { hasRules, jobRules, policy } from "./rules.ts";
import {
  afterScript,
  beforeScript,
  coverage,
  hooks,
  interruptible,
  publish,
  script,
  stage,
  tags,
  timeout,
} from "./scripts.ts";
import { trigger } from "./trigger.ts";
import { variablesWith } from "./variables.ts";

const nameLengthMax = 255;

/** Keywords of all jobs. */
const commonKeys = [
  ...["extends", "stage", "only", "except", "rules", "variables", "inherit", "allow_failure", "when", "needs"],
  ...["resource_group", "environment", "interruptible"],
];
const buildKeys = [
  ...["tags", "script", "image", "services", "start_in", "artifacts", "cache", "dependencies", "before_script"],
  ...["after_script", "hooks", "coverage", "retry", "parallel", "timeout", "inputs", "release", "id_tokens"],
  ...["publish", "pages", "manual_confirmation", "run", "secrets", "identity", "dast_configuration"],
];
const triggerKeys = ["trigger", "parallel"];
const weekSeconds = 7 * 24 * 60 * 60;

const commonRules: readonly Rule[] = [
  whole(aMapping, present, exclusiveKeys("script", "trigger"), exclusiveKeys("run", "trigger")),
  ruleIf(
    hasRules,
    whole(
      disallowedKeys(["only", "except", "start_in"], {
        fault: "key may not be used with `rules`",
        canBeEmpty: true,
      }),
    ),
  ),
  key("extends", textOrTexts),
  key("rules", listedMappings),
  key("resource_group", aText),
];

const commonEntries: Readonly<Record<string, Entry>> = {
  stage,
  only: policy,
  except: policy,
  rules: jobRules,
  variables: variablesWith("value", "expand"),
  inherit,
  environment,
  interruptible,
};

const isDelayed = (job: Mapping) => job.when === "delayed";

const steps: Check = {
  faults: (value) => (Array.isArray(value) ? [] : ["value at root is not an array"]),
  schema: { type: "array" },
};

/** Keywords that only a job of Pages may have; a job of that name is one unless it says no. */
function onlyOfPages(isPages: boolean): Rule {
  const isPagesJob = ({ pages: wanted }: Mapping) => isPresent(wanted) || (isPages && wanted !== false);
  return ruleIf((job) => !isPagesJob(job), needed("publish", absent("can only be used within a `pages` job")));
}

function buildWith(isPages: boolean): Entry {
  return {
    description: "A job that a runner executes.",
    rules: [
      ...commonRules,
      whole(
        knownKeys([...buildKeys, ...commonKeys]),
        exclusiveKeys("script", "run"),
        exclusiveKeys("before_script", "run"),
        exclusiveKeys("after_script", "run"),
      ),
      ruleIf((job) => !("run" in job), needed("script", present)),
      key("when", aText, oneOfWords(["on_success", "on_failure", "always", "manual", "delayed"])),
      key("dependencies", texts),
      key("allow_failure", mappingOrBoolean),
      key("manual_confirmation", aText),
      key("run", steps),
      ruleIf(isDelayed, needed("start_in", duration({ secondsMax: weekSeconds }))),
      ruleIf((job) => hasRules(job) || !isDelayed(job), needed("start_in", absent())),
      onlyOfPages(isPages),
    ],
    lastRules: [dependenciesAreNeeded],
    keys: buildEntries,
  };
}

const buildEntries: Readonly<Record<string, Entry>> = {
  ...commonEntries,
  before_script: beforeScript,
  script,
  after_script: afterScript,
  hooks,
  cache: caches,
  image,
  services,
  timeout,
  retry,
  tags,
  artifacts,
  needs: buildNeeds,
  coverage,
  release,
  parallel,
  allow_failure: allowFailure,
  id_tokens: idTokens,
  publish,
  pages,
  inputs,
  secrets,
  identity,
};

/** `needs:` with a pipeline of another project. */
function upstreamsOf(needs: unknown): number {
  return [needs ?? []].flat(10).filter((need) => isMapping(need) && "pipeline" in need && !("job" in need)).length;
}

const hasTrigger: LastRule = ({ trigger: given, needs }, isRead) =>
  isRead && ((given ?? null) !== null || upstreamsOf(needs) > 0)
    ? undefined
    : { fault: "should contain either a trigger or a needs:pipeline" };

const hasOneUpstream: LastRule = ({ needs }) =>
  upstreamsOf(needs) > 1 ? { fault: "should contain at most one bridge need" } : undefined;

/** A job with `trigger:`. */
const triggerJob: Entry = {
  description: "A job that makes another pipeline.",
  rules: [
    ...commonRules,
    whole(knownKeys([...triggerKeys, ...commonKeys])),
    key("when", aText, oneOfWords(["on_success", "on_failure", "always", "manual"])),
    key("allow_failure", aBoolean),
  ],
  lastRules: [hasTrigger, hasOneUpstream],
  keys: { ...commonEntries, trigger, needs: triggerNeeds, parallel: parallelTrigger },
};

/** The fault of the name of a job. */
export function faultsOfName(name: string): string[] {
  return [
    ...(name.trim() === "" ? ["name can't be blank"] : []),
    ...(name.length > nameLengthMax ? [`name is too long (maximum is ${nameLengthMax} characters)`] : []),
  ];
}

/** Jobs with a script, and the one that is of Pages by its name. */
const [buildJob, pagesJob] = [buildWith(false), buildWith(true)];

/** A job that only others extend. */
const hiddenJob: Entry = { description: "Keywords for other jobs to extend.", rules: [whole(present)] };

export type JobKind = "hidden" | "build" | "trigger";

/** The kind of job that a name and its value stand for; undefined: no job. */
export function kindOfJob(name: string, value: unknown): JobKind | undefined {
  if (name.startsWith(".")) return "hidden";
  if (!isMapping(value)) return undefined;
  if ("script" in value || "run" in value) return "build";
  return "trigger" in value || "needs" in value ? "trigger" : undefined;
}

/** The entry of a job. */
export function entryOfJob(name: string, kind: JobKind): Entry {
  if (kind === "hidden") return hiddenJob;
  if (kind === "trigger") return triggerJob;
  return name === "pages" ? pagesJob : buildJob;
}
