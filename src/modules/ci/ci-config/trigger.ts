/** The reader of `trigger:`. */

import { CiFileError, isMapping } from "./values.ts";

/** `trigger:` of a job: the pipeline that it makes. Names may hold variables. */
export interface TriggerPlan {
  /** Full path of another project; null: a child pipeline of the same commit. */
  readonly project: string | null;
  /** null: the default branch of the other project. */
  readonly branch: string | null;
  /** The path of a child pipeline's CI file; null for one that is not in the repository. */
  readonly include: string | null;
  /** The job runs until the pipeline has ended, and gets its status. */
  readonly is_dependent: boolean;
  /** The kinds of variables that are passed on. */
  readonly forward: { readonly yaml_variables: boolean; readonly pipeline_variables: boolean };
}

/** Throws `CiFileError`. */
export function readTrigger(value: unknown, label: string): TriggerPlan {
  if (typeof value === "string") return readTrigger({ project: value }, label);
  if (!isMapping(value)) throw new CiFileError(`${label} config should be a string or a hash`);
  const { project, branch, include, strategy, forward } = value;
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
    include: includeOf(include),
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

/** One file of the same repository: `path`, `[path]`, `{ local: path }`. */
function includeOf(value: unknown): string | null {
  const [only, ...more]: readonly unknown[] = Array.isArray(value) ? value : [value];
  const path = isMapping(only) ? only.local : only;
  return typeof path === "string" && more.length === 0 ? path.replace(/^\/+/, "") : null;
}
