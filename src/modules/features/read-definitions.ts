import { join } from "node:path";
import { StartError } from "../../domain/start-error.ts";
import { systemDisk } from "../../store/index.ts";
import { definitionTypes, type FeatureDefinition } from "./catalogue.ts";

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
  return names.filter((name) => /\.(ya?ml|json)$/.test(name)).map((name) => readDefinition(join(folder, name)));
}

function readDefinition(path: string): FeatureDefinition {
  const given = parse(path);
  for (const field of Object.keys(given)) {
    if (!knownFields.has(field)) throw unusable(path, `${field} is no field of a definition`);
  }
  const { name, type, default_enabled: isDefault = false, log_state_changes: logs = null } = given;
  if (typeof name !== "string" || name === "") throw unusable(path, "name has to be a text");
  if (!isType(type)) throw unusable(path, `type has to be one of ${definitionTypes.join(", ")}`);
  if (typeof isDefault !== "boolean") throw unusable(path, "default_enabled has to be true or false");
  if (logs !== null && typeof logs !== "boolean") throw unusable(path, "log_state_changes has to be true or false");
  const text = (field: string) => textOf(path, given, field);
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

function parse(path: string): Readonly<Record<string, unknown>> {
  let parsed: unknown;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(systemDisk.read(path));
    parsed = path.endsWith(".json") ? JSON.parse(text) : Bun.YAML.parse(text);
  } catch (error) {
    throw unusable(path, error instanceof Error ? error.message : String(error));
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    throw unusable(path, "it has to hold one definition, as fields with values");
  }
  return parsed as Record<string, unknown>;
}

/** YAML takes a milestone such as `15.9` for a number. */
function textOf(path: string, given: Readonly<Record<string, unknown>>, field: string): string | null {
  const value = given[field] ?? null;
  if (value === null || typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  throw unusable(path, `${field} has to be a text`);
}

function isType(value: unknown): value is FeatureDefinition["type"] {
  return (definitionTypes as readonly unknown[]).includes(value);
}

function unusable(path: string, reason: string): StartError {
  return new StartError(`the feature definition ${path} cannot be used: ${reason}`, "outpost help serve");
}
