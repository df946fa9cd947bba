import type { SignedInCaller } from "../../../domain/caller.ts";
import { invalid, notFound, requireUnmodified } from "../../../domain/failure.ts";
import { type DateTime, toDateTime } from "../../../lib/datetime.ts";
import { exceedsLength } from "../../../lib/text/text.ts";
import type { Context } from "../../kernel/context.ts";
import { updateRecord } from "../../kernel/record-events.ts";
import type { PipelineVariable } from "../pipelines/records.ts";
import { pipelineScheduleEvents } from "./events.ts";
import type { PipelineScheduleRecord } from "./records.ts";
import type { NewVariable, VariableChange } from "./schema.ts";

const keyLengthMax = 255;
const valueLengthMax = 10_000;
/** Variables of one schedule. */
const variablesMax = 100;

/** `POST …/variables`. Throws 400. */
export function createVariable(
  context: Context,
  caller: SignedInCaller,
  schedule: PipelineScheduleRecord,
  { key, value, variable_type = "env_var", raw = false }: NewVariable,
): PipelineVariable {
  const isTaken = schedule.variables.some((each) => each.key === key);
  const faults = [
    ...(/^[A-Za-z0-9_]+$/.test(key) ? [] : ["can contain only letters, digits and '_'."]),
    ...(exceedsLength(key, keyLengthMax) ? [`is too long (maximum is ${keyLengthMax} characters)`] : []),
    ...(isTaken ? ["has already been taken"] : []),
  ];
  if (faults.length > 0) throw invalid({ key: faults });
  if (schedule.variables.length >= variablesMax) {
    throw invalid({ base: [`Maximum number of pipeline schedule variables (${variablesMax}) exceeded`] });
  }
  const variable: PipelineVariable = { key, variable_type, value, ...(raw ? { raw } : {}) };
  return writeVariables(context, caller, schedule, [...schedule.variables, requireShort(variable)], variable);
}

/** `PUT …/variables/:key`. Throws 404, 400. */
export function updateVariable(
  context: Context,
  caller: SignedInCaller,
  schedule: PipelineScheduleRecord,
  key: string,
  change: VariableChange,
): PipelineVariable {
  const before = getVariable(schedule, key);
  const { value = before.value, variable_type = before.variable_type, raw = before.raw === true } = change;
  const after: PipelineVariable = { key, variable_type, value, ...(raw ? { raw } : {}) };
  const variables = schedule.variables.map((each) => (each === before ? requireShort(after) : each));
  return writeVariables(context, caller, schedule, variables, after);
}

/** `DELETE …/variables/:key`. Returns what is gone. Throws 404, 412. */
export function deleteVariable(
  context: Context,
  caller: SignedInCaller,
  schedule: PipelineScheduleRecord,
  key: string,
  unmodifiedSince: DateTime | undefined,
): PipelineVariable {
  const variable = getVariable(schedule, key);
  requireUnmodified(schedule, unmodifiedSince);
  const rest = schedule.variables.filter((each) => each !== variable);
  return writeVariables(context, caller, schedule, rest, variable);
}

function getVariable({ variables }: PipelineScheduleRecord, key: string): PipelineVariable {
  const found = variables.find((each) => each.key === key);
  if (found === undefined) throw notFound("Pipeline Schedule Variable");
  return found;
}

function requireShort(variable: PipelineVariable): PipelineVariable {
  if (!exceedsLength(variable.value, valueLengthMax)) return variable;
  throw invalid({ value: [`is too long (maximum is ${valueLengthMax} characters)`] });
}

function writeVariables(
  context: Context,
  caller: SignedInCaller,
  schedule: PipelineScheduleRecord,
  variables: readonly PipelineVariable[],
  changed: PipelineVariable,
): PipelineVariable {
  const updated_at = toDateTime(context.clock.now());
  context.store.transact((tx) =>
    updateRecord(tx, context, caller, pipelineScheduleEvents, { ...schedule, variables, updated_at }),
  );
  return changed;
}
