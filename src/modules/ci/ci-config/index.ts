export { Budget, stepsMax } from "./budget.ts";
export { type CiFiles, lookupsIn } from "./ci-files.ts";
export type { EnvironmentPlan } from "./environment.ts";
export { faultOf, faultsOf } from "./extent.ts";
export { type Comparison, FileMatcher, type RepositoryFiles, withAnswers } from "./files.ts";
export { Includes } from "./includes.ts";
export type { JobPlan } from "./jobs.ts";
export { ciFileSchema } from "./keywords/schema.ts";
export { mergedText } from "./merged.ts";
export { type CiFile, needsFileList, readCiFile, readMapping } from "./read.ts";
export type { RetryPlan } from "./retry.ts";
export { CircularVariables, forEachVariableName, variableReference } from "./rules/circular-variables.ts";
export {
  belowUser,
  ExpansionBudget,
  expandVariables,
  isAboveFile,
  LayeredVariables,
  type VariableLayer,
} from "./rules/expansion.ts";
export type { Variables } from "./rules/expressions.ts";
export { Globs } from "./rules/globs.ts";
export { Patterns } from "./rules/patterns.ts";
export type { AutoCancel } from "./rules/rules.ts";
export { evaluateWorkflow, type PipelineContext, type SelectedJob, selectJobs, variablesFor } from "./selection.ts";
export { childFile } from "./trigger.ts";
export { CiFileError } from "./values.ts";
export { warningsOf } from "./warnings.ts";
