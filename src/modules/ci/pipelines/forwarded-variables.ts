/** The variables that a `trigger:` job passes on to the pipeline that it makes. */

import type { Context } from "../../kernel/context.ts";
import { ExpansionBudget, expandVariables } from "../ci-config/index.ts";
import type { TriggerPlan } from "../ci-config/records.ts";
import { type DotenvVariable, listDotenvVariables } from "../job-artifacts/index.ts";
import { type JobPlace, knownVariablesOf } from "./job-variables.ts";
import { listDependencies } from "./jobs/dependencies.ts";
import type { PipelineRecord, PipelineVariable } from "./records.ts";
import { type CiJobRecord, fileVariablesOf } from "./records-jobs.ts";

/** The variables of the reports of the jobs that a job depends on. */
export function dotenvOf(context: Context, job: CiJobRecord): DotenvVariable[] {
  return listDotenvVariables(
    context.store,
    listDependencies(context, job).map(({ id }) => id),
  );
}

/** Of two with one name, the later counts. Throws `CiFileError` for what is too long when expanded. */
export function forwardedVariables(
  context: Context,
  place: JobPlace,
  { forward }: TriggerPlan,
  dotenv: readonly DotenvVariable[],
): PipelineVariable[] {
  const { job, pipeline } = place;
  const wanted = [
    ...(forward.yaml_variables ? ofFile(pipeline, job) : []),
    ...(forward.pipeline_variables ? dotenv.map(plain) : []),
    ...(forward.pipeline_variables ? pipeline.variables : []),
  ];
  const known = knownVariablesOf(context, place, "stored", { dotenv, keepsFiles: true });
  const files = new Map(pipeline.variables.filter(isFile).map((variable) => [variable.key, variable]));
  const room = new ExpansionBudget();
  const found = new Map<string, PipelineVariable>();
  for (const variable of wanted) {
    const value = variable.raw ? variable.value : expandVariables(variable.value, known, room);
    found.delete(variable.key);
    found.set(variable.key, { ...variable, value });
    // The name of a file stays in a value, so that the other pipeline needs the file.
    for (const file of variable.raw ? [] : filesNamedIn(value, files)) {
      found.delete(file.key);
      found.set(file.key, file);
    }
  }
  return [...found.values()];
}

function ofFile(pipeline: PipelineRecord, job: CiJobRecord): PipelineVariable[] {
  const { variables, raw_variables = [] } = job.config;
  const own = new Set(raw_variables);
  const shared = new Set(pipeline.raw_file_variables);
  return Object.entries({ ...fileVariablesOf(pipeline, job), ...variables }).map(([key, value]) => {
    const isRaw = Object.hasOwn(variables, key) ? own.has(key) : shared.has(key);
    return { ...plain({ key, value }), ...(isRaw ? { raw: true } : {}) };
  });
}

function plain({ key, value }: DotenvVariable): PipelineVariable {
  return { variable_type: "env_var", key, value };
}

function isFile({ variable_type }: PipelineVariable): boolean {
  return variable_type === "file";
}

function filesNamedIn(text: string, files: ReadonlyMap<string, PipelineVariable>): PipelineVariable[] {
  if (files.size === 0) return [];
  const names = [...text.matchAll(/\$(?:(\w+)|\{(\w+)\})/g)].map(([, name, braced]) => name ?? braced ?? "");
  return names.map((name) => files.get(name)).filter((file) => file !== undefined);
}
