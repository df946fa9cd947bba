/** The reader of `trigger:`. */

import { includeEntry } from "./include-entries.ts";
import { ExpansionBudget } from "./rules/expansion.ts";
import type { Variables } from "./rules/expressions.ts";
import { isMapping, type Mapping, stringOf } from "./values.ts";

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

/** A text is a project. */
export function readTrigger(value: unknown): TriggerPlan {
  const { project, branch, include, inputs, strategy, forward } = isMapping(value) ? value : { project: value };
  const forwards = isMapping(forward) ? forward : {};
  return {
    project: stringOf(project) ?? null,
    branch: stringOf(branch) ?? null,
    include: include ?? null,
    ...(isMapping(inputs) ? { inputs } : {}),
    is_dependent: (strategy ?? null) !== null,
    forward: {
      yaml_variables: forwards.yaml_variables !== false,
      pipeline_variables: forwards.pipeline_variables === true,
    },
  };
}

/** The text of a CI file that has what a child pipeline is made of. Throws `CiFileError`. */
export function childFile({ include }: TriggerPlan, variables: Variables): string {
  const room = new ExpansionBudget();
  const entries: readonly unknown[] = Array.isArray(include) ? include : [include];
  return JSON.stringify({ include: entries.map((each) => includeEntry(each, variables, room)) });
}
