/** The table of the file itself, and the check of a whole file. */

import { isMapping, type Mapping } from "../values.ts";
import { artifacts } from "./artifacts.ts";
import { defaultKeys, retry } from "./behaviour.ts";
import { caches } from "./caches.ts";
import { aMapping, listedTexts } from "./checks.ts";
import { knownKeys } from "./checks-keys.ts";
import { type CheckTools, type Entry, whole } from "./entry.ts";
import { identity, idTokens } from "./external.ts";
import { type Fault, findFaults, placeAt } from "./find-faults.ts";
import { image, services } from "./images.ts";
import { entryOfJob, faultsOfName, kindOfJob } from "./jobs.ts";
import { workflow } from "./rules.ts";
import { afterScript, beforeScript, hooks, interruptible, tags, timeout } from "./scripts.ts";
import { includes } from "./trigger.ts";
import { variablesWith } from "./variables.ts";

/** Keywords of the file that jobs have by default: the older place of these. */
export const olderDefaults = ["before_script", "after_script", "cache", "image", "services"] as const;

const defaults: Entry = {
  description: "Keywords of all jobs that do not set them.",
  rules: [whole(aMapping, knownKeys(defaultKeys))],
};

/** In the order in which the platform tells faults of them. */
const defaultEntries: Readonly<Record<string, Entry>> = {
  before_script: beforeScript,
  after_script: afterScript,
  hooks,
  cache: caches,
  image,
  services,
  interruptible,
  timeout,
  retry,
  tags,
  artifacts,
  id_tokens: idTokens,
  identity,
};

const stages: Entry = {
  description: "The stages of the pipeline, in their order.",
  rules: [whole(listedTexts)],
};

/** Keywords of the file. Those of the first are never jobs; the others are, if they have a script. */
const reservedEntries: Readonly<Record<string, Entry>> = {
  before_script: beforeScript,
  image,
  services,
  after_script: afterScript,
  variables: variablesWith("value", "description", "expand", "options"),
  stages,
  cache: caches,
};
const fileEntries: Readonly<Record<string, Entry>> = { ...reservedEntries, workflow };

/** The keywords of the file, for editors. */
export const keywordsOfFile: Readonly<Record<string, Entry>> = {
  default: { ...defaults, keys: defaultEntries },
  include: includes,
  ...fileEntries,
};

/** Names that are no jobs, whatever their values. `include` is worked in before. */
const reserved = new Set([...Object.keys(reservedEntries), "include"]);
const keywords = new Set([...reserved, "default", "workflow"]);

/** Whether a name at the top of a file is that of a job. */
export function isJobName(name: string, value: unknown): boolean {
  if (reserved.has(name)) return false;
  return !keywords.has(name) || kindOfJob(name, value) !== undefined;
}

/** More are not told: a file with so many is no CI file. */
const faultsMax = 100;

/** Returns the faults of a file whose `extends` and `!reference` are worked in, in the platform's order. */
export function faultsOfFile(file: Mapping, tools: CheckTools): Fault[] {
  const found = [...faultsOfDefaults(file, tools)];
  for (const [name, entry] of Object.entries(fileEntries)) {
    if (name in file && !isJobName(name, file[name])) found.push(...faultsAt(entry, file[name], name, [name], tools));
  }
  found.push(...faultsOfJobs(file, tools));
  return [...new Map(found.map((fault) => [fault.text, fault])).values()].slice(0, faultsMax);
}

function faultsAt(
  entry: Entry,
  value: unknown,
  name: string,
  path: readonly string[],
  tools: CheckTools,
  above: readonly string[] = [],
): Fault[] {
  return value === undefined || value === null ? [] : findFaults(entry, value, placeAt(name, path, above), tools);
}

/** The platform looks at the older keywords as parts of `default:`. */
function faultsOfDefaults(file: Mapping, tools: CheckTools): Fault[] {
  const given = isJobName("default", file.default) ? undefined : file.default;
  const found = faultsAt(defaults, given, "default", ["default"], tools);
  if (found.length > 0) return found;
  const own = isMapping(given) ? given : {};
  const older = new Set<string>(olderDefaults);
  return Object.entries(defaultEntries).flatMap(([name, entry]) => {
    const isOwn = (own[name] ?? null) !== null;
    if (isOwn) return faultsAt(entry, own[name], name, ["default", name], tools, ["default"]);
    return older.has(name) ? faultsAt(entry, file[name], name, [name], tools) : [];
  });
}

/** The keyword that is in `default:` and in its older place, too. */
export function doubledDefault(file: Mapping): string | undefined {
  const { default: given } = file;
  if (!isMapping(given)) return undefined;
  return olderDefaults.find((name) => (given[name] ?? null) !== null && (file[name] ?? null) !== null);
}

function faultsOfJobs(file: Mapping, tools: CheckTools): Fault[] {
  const jobs = Object.keys(file).filter((name) => isJobName(name, file[name]));
  const unknown = jobs.filter((name) => kindOfJob(name, file[name]) === undefined);
  const found: Fault[] = unknown.map((name) => ({
    text: `jobs ${name} config should implement the script:, run:, or trigger: keyword`.toLowerCase(),
    path: [name],
  }));
  const isVisible = (name: string) => !["hidden", undefined].includes(kindOfJob(name, file[name]));
  if (!jobs.some(isVisible)) found.push({ text: "jobs config should contain at least one visible job", path: [] });
  return found.length > 0 ? found : jobs.flatMap((name) => faultsOfJob(name, file[name], tools));
}

/** Stand for a name of no letters. */
const namelessJobs = { hidden: "hidden", build: "job", trigger: "bridge" } as const;

function faultsOfJob(name: string, value: unknown, tools: CheckTools): Fault[] {
  const kind = kindOfJob(name, value);
  if (kind === undefined) return [];
  const shown = name.trim() === "" ? namelessJobs[kind] : name;
  const ofName = faultsOfName(name).map((fault) => ({ text: `jobs:${shown} ${fault}`.toLowerCase(), path: [name] }));
  return [...ofName, ...findFaults(entryOfJob(name, kind), value ?? {}, placeAt(shown, [name], ["jobs"]), tools)];
}
