/** The entries of `include:`: each names one kind of file. */

import type { Budget } from "./budget.ts";
import { findFaults, placeAt } from "./keywords/find-faults.ts";
import { includeRules as includeRulesEntry } from "./keywords/rules.ts";
import { type ExpansionBudget, expandVariables } from "./rules/expansion.ts";
import type { Variables } from "./rules/expressions.ts";
import { Patterns } from "./rules/patterns.ts";
import { type Rule, rulesOf } from "./rules/rules.ts";
import { CiFileError, isMapping, type Mapping } from "./values.ts";

/** The file, or files, that an entry names. */
export type IncludeLocation =
  | { readonly kind: "local"; readonly path: string }
  | {
      readonly kind: "project";
      readonly project: string;
      readonly ref: string | undefined;
      readonly paths: readonly string[];
    }
  | { readonly kind: "component"; readonly address: string }
  /** A file in the archive of a job. */
  | { readonly kind: "artifact"; readonly path: string; readonly job: string };

const kinds = ["local", "project", "remote", "template", "artifact", "component"] as const;
const kindList = kinds.map((kind) => `\`${kind}\``).join(", ");
const templateSuffix = ".gitlab-ci.yml";

/** One entry of `include:` as a mapping, its variables expanded. Throws `CiFileError`. */
export function includeEntry(include: unknown, variables: Variables, room: ExpansionBudget): Mapping {
  const expand = (value: unknown) => (typeof value === "string" ? expandVariables(value, variables, room) : value);
  const given = typeof include === "string" ? plainEntry(String(expand(include))) : include;
  if (!isMapping(given)) throw new CiFileError("Each include must be a hash or a string");
  const entries = Object.entries(given).map(([key, value]) => {
    return [key, Array.isArray(value) ? value.map(expand) : expand(value)] as const;
  });
  return { ...Object.fromEntries(entries), rules: given.rules };
}

/** Values for the inputs of the included file. Throws `CiFileError`. */
export function includeInputs({ inputs }: Mapping): Mapping {
  if (inputs === undefined || inputs === null) return {};
  if (!isMapping(inputs)) throw new CiFileError("Given inputs must be a hash");
  return inputs;
}

function plainEntry(text: string): Mapping {
  return /^https?:\/\//i.test(text) ? { remote: text } : { local: text };
}

/** `rules:` of an entry. Throws `CiFileError`. */
export function includeRules({ rules: value }: Mapping, budget: Budget): Rule[] | undefined {
  if (value === undefined || value === null) return undefined;
  const tools = { budget, patterns: new Patterns(budget), expressions: new Map() };
  const [fault] = findFaults(includeRulesEntry, value, placeAt("rules", [], ["include"]), tools);
  if (fault !== undefined) throw new CiFileError(fault.text);
  return rulesOf(value, budget);
}

/** Throws `CiFileError`, also for kinds of files that this server does not have. */
export function includeLocation({ rules: _, ...entry }: Mapping): IncludeLocation {
  const found = kinds.filter((kind) => isPresent(entry[kind]));
  const [kind, second] = found;
  if (second !== undefined) throw new CiFileError(`Each include must use only one of: ${kindList}`);
  switch (kind) {
    case "local":
      return { kind, path: requireYamlPath(entry.local) };
    case "project":
      return projectLocation(entry);
    case "component":
      if (typeof entry.component === "string") return { kind, address: entry.component };
      throw new CiFileError(`Included file \`${shown(entry.component)}\` needs to be a string`);
    case "remote":
      throw remoteFault(entry.remote);
    case "template":
      throw templateFault(entry.template);
    case "artifact":
      return artifactLocation(entry);
    default: {
      const text = JSON.stringify(entry);
      throw new CiFileError(`\`${text}\` does not have a valid subkey for include. Valid subkeys are: ${kindList}`);
    }
  }
}

function projectLocation({ project, file, ref }: Mapping): IncludeLocation {
  if (!isPresent(file)) throw new CiFileError("include config must specify the file where to fetch the config from");
  const name: unknown = Array.isArray(project) ? project[0] : project;
  if (typeof name !== "string") throw new CiFileError("include:project config should be a string");
  const paths = (Array.isArray(file) ? file : [file]).map(requireYamlPath);
  return { kind: "project", project: name.toLowerCase(), ref: isPresent(ref) ? shown(ref) : undefined, paths };
}

/** The path of a file, as repositories have it. Throws `CiFileError`. */
function requireYamlPath(location: unknown): string {
  if (typeof location !== "string") throw new CiFileError(`Included file \`${shown(location)}\` needs to be a string`);
  const path = location.replace(/^\/+/, "");
  if (/[^/]\.ya?ml$/i.test(path)) return path;
  throw new CiFileError(`Included file \`${path}\` does not have YAML extension!`);
}

/** This server asks no other one for files. */
function remoteFault(location: unknown): CiFileError {
  if (typeof location !== "string" || !/\.ya?ml$/i.test(location)) {
    return new CiFileError(`Included file \`${shown(location)}\` does not have YAML extension!`);
  }
  if (!URL.canParse(location)) return new CiFileError(`Remote file \`${location}\` does not have a valid address!`);
  return new CiFileError(
    `Remote file \`${location}\` could not be fetched because this server reads files of its own projects only!`,
  );
}

/** There are no templates. */
function templateFault(location: unknown): CiFileError {
  const name = shown(location);
  return name.endsWith(templateSuffix)
    ? new CiFileError(`Included file \`${name}\` is empty or does not exist!`)
    : new CiFileError(`Template file \`${name}\` is not a valid location!`);
}

function artifactLocation({ artifact, job }: Mapping): IncludeLocation {
  if (!isPresent(job)) throw new CiFileError("include config must specify the job where to fetch the artifact from");
  if (typeof artifact !== "string") throw new CiFileError(`Included file \`${shown(artifact)}\` needs to be a string`);
  requireYamlPath(artifact);
  return { kind: "artifact", path: artifact, job: shown(job) };
}

function isPresent(value: unknown): boolean {
  if (typeof value === "string") return value.trim() !== "";
  if (Array.isArray(value)) return value.length > 0;
  return value !== undefined && value !== null && value !== false;
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
