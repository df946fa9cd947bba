/** The reader of definition files in a folder. */

import { join } from "node:path";
import { definitionTypes, type FeatureDefinition } from "../../../domain/feature-definition.ts";
import { StartError } from "../../../domain/start-error.ts";
import { systemDisk } from "../../../store/index.ts";

/**
 * The definitions in a folder, one in each `.yml`, `.yaml` or `.json` file, with the fields that `/features/definitions`
 * shows. Only `name` and `type` have to be there. Throws `StartError` for a folder or a file that is not as it should be.
 */
export function readDefinitions(folder: string): FeatureDefinition[] {
  if (!systemDisk.exists(folder)) {
    throw new StartError(`there is no folder of feature definitions at ${folder}`, `mkdir -p ${folder}`);
  }
  let names: string[];
  try {
    names = systemDisk.list(folder);
  } catch (error) {
    throw unusable(folder, error instanceof Error ? error.message : String(error));
  }
  return names.filter((name) => /\.(ya?ml|json)$/i.test(name)).map((name) => readDefinition(join(folder, name)));
}

function readDefinition(path: string): FeatureDefinition {
  const { given, source } = parse(path);
  for (const field of Object.keys(given)) {
    if (!knownFields.has(field)) throw unusable(path, `${field} is no field of a definition`);
  }
  const { name, type, default_enabled: isDefault = false, log_state_changes: logs = null } = given;
  if (typeof name !== "string" || name === "") throw unusable(path, "name has to be a text");
  if (!isType(type)) throw unusable(path, `type has to be one of ${definitionTypes.join(", ")}`);
  if (typeof isDefault !== "boolean") throw unusable(path, "default_enabled has to be true or false");
  if (logs !== null && typeof logs !== "boolean") throw unusable(path, "log_state_changes has to be true or false");
  const text = (field: string) => textOf(path, given, source, field);
  return {
    name,
    introduced_by_url: text("introduced_by_url"),
    rollout_issue_url: text("rollout_issue_url"),
    milestone: text("milestone"),
    log_state_changes: logs,
    type,
    group: text("group"),
    default_enabled: isDefault,
  };
}

const knownFields: ReadonlySet<string> = new Set<keyof FeatureDefinition>([
  "name",
  "introduced_by_url",
  "rollout_issue_url",
  "milestone",
  "log_state_changes",
  "type",
  "group",
  "default_enabled",
]);

interface Parsed {
  readonly given: Readonly<Record<string, unknown>>;
  /** The definition as it is in the file. */
  readonly source: string;
}

function parse(path: string): Parsed {
  let source: string;
  let given: unknown;
  const isJson = /\.json$/i.test(path);
  try {
    source = new TextDecoder("utf-8", { fatal: true }).decode(systemDisk.read(path));
    given = isJson ? JSON.parse(source) : Bun.YAML.parse(source);
  } catch (error) {
    throw unusable(path, error instanceof Error ? error.message : String(error));
  }
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw unusable(path, "it has to hold one definition, as fields with values");
  }
  if (!isJson) requireDistinctFields(path, source);
  return { given: given as Parsed["given"], source };
}

/** The parser takes the last of several. */
function requireDistinctFields(path: string, yaml: string): void {
  const seen = new Set<string>();
  for (const [, , field = ""] of yaml.matchAll(/^(["']?)(\w+)\1\s*:/gm)) {
    if (seen.has(field)) throw unusable(path, `${field} is there twice`);
    seen.add(field);
  }
}

/** YAML takes a milestone such as `15.10` for a number, the same as 15.1: what stands in the file counts. */
function textOf(path: string, given: Parsed["given"], source: string, field: string): string | null {
  const value = given[field] ?? null;
  if (value === null || typeof value === "string") return value;
  if (typeof value !== "number") throw unusable(path, `${field} has to be a text`);
  return new RegExp(`^${field}:\\s+([\\d.]+)\\s*(?:#.*)?$`, "m").exec(source)?.[1] ?? String(value);
}

function isType(value: unknown): value is FeatureDefinition["type"] {
  return (definitionTypes as readonly unknown[]).includes(value);
}

function unusable(path: string, reason: string): StartError {
  return new StartError(`the feature definition ${path} cannot be used: ${reason}`, "outpost help serve");
}
