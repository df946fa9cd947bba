/** The reader of `trigger:`. */

import { includeEntry } from "./include-entries.ts";
import type { TriggerPlan } from "./records.ts";
import { ExpansionBudget } from "./rules/expansion.ts";
import type { Variables } from "./rules/expressions.ts";
import { isMapping, stringOf } from "./values.ts";

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
