/** The reader of `trigger:`. */

import { includeEntry } from "./include-entries.ts";
import { ExpansionBudget } from "./rules/expansion.ts";
import type { Variables } from "./rules/expressions.ts";
import { CiFileError, isMapping, type Mapping } from "./values.ts";

/** `trigger:` of a job: the pipeline that it makes. Names may hold variables. */
export interface TriggerPlan {
  /** Full path of another project; null: a child pipeline of the same commit. */
  readonly project: string | null;
  /** null: the default branch of the other project. */
  readonly branch: string | null;
  /** The files of a child pipeline, as `include:` names them; null for a pipeline of another project. */
  readonly include: unknown;
  /** Values for the inputs of the other project's CI file. */
  readonly inputs?: Mapping;
  /** The job runs until the pipeline has ended, and gets its status. */
  readonly is_dependent: boolean;
  /** The kinds of variables that are passed on. */
  readonly forward: { readonly yaml_variables: boolean; readonly pipeline_variables: boolean };
}

/** Files that one child pipeline is made of. */
const includesMax = 3;

/** Throws `CiFileError`. */
export function readTrigger(value: unknown, label: string): TriggerPlan {
  if (typeof value === "string") return readTrigger({ project: value }, label);
  if (!isMapping(value)) throw new CiFileError(`${label} config should be a string or a hash`);
  const { project, branch, include, inputs, strategy, forward } = value;
  if ((project === undefined) === (include === undefined)) {
    throw new CiFileError(`${label} config should contain either a project or an include`);
  }
  if (strategy !== undefined && strategy !== "depend" && strategy !== "mirror") {
    throw new CiFileError(`${label} strategy should be either depend or mirror`);
  }
  const forwards = isMapping(forward) ? forward : {};
  return {
    project: project === undefined ? null : nameOf(project, `${label} project`),
    branch: branch === undefined || branch === null ? null : nameOf(branch, `${label} branch`),
    include: includeOf(include, `${label}:include`),
    ...inputsOf(inputs, `${label} inputs`),
    is_dependent: strategy !== undefined,
    forward: {
      yaml_variables: forwards.yaml_variables !== false,
      pipeline_variables: forwards.pipeline_variables === true,
    },
  };
}

function nameOf(value: unknown, label: string): string {
  if (typeof value === "string" && value !== "") return value;
  throw new CiFileError(`${label} should be a string`);
}

function inputsOf(value: unknown, label: string): Pick<TriggerPlan, "inputs"> {
  if (value === undefined || value === null) return {};
  if (!isMapping(value)) throw new CiFileError(`${label} should be a hash`);
  return { inputs: value };
}

/** One file or a few: `path`, `{ local: path }`, `{ project, file }`, each with `inputs`. */
function includeOf(value: unknown, label: string): unknown {
  if (value === undefined || value === null) return null;
  const entries: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (!entries.every((each) => typeof each === "string" || isMapping(each))) {
    throw new CiFileError(`${label} config should be an array of hashes or strings`);
  }
  if (entries.length > includesMax) throw new CiFileError(`${label} config is too long (maximum is ${includesMax})`);
  if (entries.some((each) => isMapping(each) && each.artifact !== undefined)) {
    throw new CiFileError(`${label} artifact is not supported: only files of projects are`);
  }
  return value;
}

/** The text of a CI file that has what a child pipeline is made of. Throws `CiFileError`. */
export function childFile({ include }: TriggerPlan, variables: Variables): string {
  const room = new ExpansionBudget();
  const entries: readonly unknown[] = Array.isArray(include) ? include : [include];
  return JSON.stringify({ include: entries.map((each) => includeEntry(each, variables, room)) });
}
