/** The variables of a job before a runner has it. */

import type { CallerUser } from "../../../domain/caller.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import {
  belowUser,
  ExpansionBudget,
  LayeredVariables,
  type VariableLayer,
  type Variables,
} from "../ci-config/index.ts";
import type { DotenvVariable } from "../job-artifacts/index.ts";
import { listVariablesFor } from "../variables/index.ts";
import type { CiVariableRecord } from "../variables/records.ts";
import { jobFactsOf, type Phase, PredefinedVariables } from "./creation/predefined-variables.ts";
import type { PipelineRecord, PipelineVariable } from "./records.ts";
import { type CiJobRecord, fileVariablesOf } from "./records-jobs.ts";

/** A job with what its variables are made of. */
export interface JobPlace {
  readonly job: CiJobRecord;
  readonly pipeline: PipelineRecord;
  readonly project: ProjectRecord;
  readonly user: CallerUser | undefined;
}

/** There is no request to take the address from, so the configured one counts. */
export function baseUrlOf({ externalUrl }: Context): string {
  return externalUrl ?? "http://localhost";
}

/**
 * The variables of a job that are known in a phase: the given ones, those of the project, its groups and the instance, of
 * reports, of the user, of the file, and the predefined ones.
 */
export function knownVariablesOf(
  context: Context,
  { job, pipeline, project, user }: JobPlace,
  phase: Exclude<Phase, "run">,
  {
    dotenv = [],
    keepsFiles = false,
  }: { readonly dotenv?: readonly DotenvVariable[]; readonly keepsFiles?: boolean } = {},
): Variables {
  const source = { store: context.store, project, pipeline, user, baseUrl: baseUrlOf(context), job: jobFactsOf(job) };
  const raw = new Set([...(pipeline.raw_file_variables ?? []), ...(job.config.raw_variables ?? [])]);
  const own = new Map([...Object.entries(fileVariablesOf(pipeline, job)), ...Object.entries(job.config.variables)]);
  const reader = { project, isProtected: pipeline.ref_protected === true, environment: job.config.environment?.name };
  const predefined = new PredefinedVariables(source, phase);
  const ofFile = { get: (name: string) => own.get(name), isRaw: (name: string) => raw.has(name) };
  const layers = [
    givenLayer([...pipeline.variables, ...(job.played_variables ?? [])], keepsFiles),
    givenLayer(listVariablesFor(context.store, reader), keepsFiles),
    new Map(dotenv.map(({ key, value }) => [key, value])),
    belowUser(ofFile, predefined),
  ];
  return new LayeredVariables(layers, predefined, new ExpansionBudget());
}

/** @param keepsFiles whether the name of a file stands for itself, not for what is in the file */
function givenLayer(variables: readonly (PipelineVariable | CiVariableRecord)[], keepsFiles: boolean): VariableLayer {
  const byKey = new Map(variables.map((variable) => [variable.key, variable]));
  const isKept = (name: string) => keepsFiles && byKey.get(name)?.variable_type === "file";
  return {
    get: (name) => (isKept(name) ? `$${name}` : byKey.get(name)?.value),
    isRaw: (name) => isKept(name) || byKey.get(name)?.raw === true,
  };
}
