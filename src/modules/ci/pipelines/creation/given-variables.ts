/** The rules about variables that a request gives. */

import { Failure } from "../../../../domain/failure.ts";
import type { PipelineVariable } from "../records.ts";

const nameLengthMax = 255;
const valueLengthMax = 10_000;
const payloadLengthMax = 1_048_576;

/** 400 of triggers-and-pipelines 2. */
export function pipelineRefusal(text: string): Failure {
  return new Failure("invalid", { message: { base: [text] } });
}

/** Throws 400 for longer values than one request may give. */
export function requireShortValues(variables: readonly PipelineVariable[]): void {
  if (variables.some(({ value }) => value.length > valueLengthMax)) throw tooLong(valueLengthMax);
}

/** Throws 400 for more in the body of a trigger than its pipeline keeps. */
export function requireShortPayload(payload: string): void {
  if (payload.length > payloadLengthMax) throw tooLong(payloadLengthMax);
}

/** Throws 400 for names that no shell knows, and for two of one name. */
export function requireVariableNames(variables: readonly PipelineVariable[]): void {
  const names = new Set<string>();
  const twice = new Set<string>();
  for (const { key } of variables) (names.has(key) ? twice : names).add(key);
  if (twice.size > 0)
    throw pipelineRefusal(`Duplicate variable name${twice.size > 1 ? "s" : ""}: ${[...twice].join(", ")}`);
  const wrong = new Set(
    [...names].flatMap((name) => [
      ...(name.trim() === "" ? ["can't be blank"] : []),
      ...(name.length > nameLengthMax ? [`is too long (maximum is ${nameLengthMax} characters)`] : []),
      ...(/^[a-zA-Z0-9_]+$/.test(name) ? [] : ["can contain only letters, digits and '_'."]),
    ]),
  );
  if (wrong.size > 0) throw notSaved([...wrong].map((text) => `Variables key ${text}`));
}

function tooLong(lengthMax: number): Failure {
  return notSaved([`Variables value is too long (maximum is ${lengthMax} characters)`]);
}

function notSaved(texts: readonly string[]): Failure {
  return pipelineRefusal(`Failed to persist the pipeline: Validation failed: ${texts.join(", ")}`);
}
