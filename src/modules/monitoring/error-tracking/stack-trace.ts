/** The stack trace of an event. */

import { spend } from "../../../domain/work-budget.ts";
import { type JsonObject, textOf } from "./documents.ts";
import { exceptionsOf, framesOf, valuesOf } from "./event-shape.ts";

export interface StackTraceEntry {
  readonly lineNo: number | null;
  readonly colNo: 0;
  readonly filename: string | null;
  readonly abs_path: string | null;
  readonly function: string | null;
  /** Line numbers and what stands there. */
  readonly context: readonly (readonly [number, string])[];
}

/** A frame or a line of three characters becomes an object that is a hundred times as large. */
const entrySteps = 20;

/** Reads the first exception with a stacktrace, else the first such thread. Keeps the order of frames. Throws `OverBudget`. */
export function stackTraceOf(payload: JsonObject): StackTraceEntry[] {
  for (const holder of [...exceptionsOf(payload), ...valuesOf(payload.threads)]) {
    const frames = framesOf(holder);
    if (frames === undefined) continue;
    spend(frames.length * entrySteps);
    return frames.map(presentFrame);
  }
  return [];
}

function presentFrame(frame: JsonObject): StackTraceEntry {
  return {
    lineNo: numberOf(frame.lineno),
    colNo: 0,
    filename: textOf(frame.filename),
    abs_path: textOf(frame.abs_path),
    function: textOf(frame.function),
    context: contextOf(frame),
  };
}

/** The lines around the one of the frame, whose number says which they are. */
function contextOf({ lineno, pre_context, context_line, post_context }: JsonObject): [number, string][] {
  const number = numberOf(lineno);
  if (number === null) return [];
  const before = textsOf(pre_context);
  const line = textOf(context_line);
  const after = textsOf(post_context);
  spend((before.length + after.length) * entrySteps);
  return [
    ...before.map((text, index): [number, string] => [number - before.length + index, text]),
    ...(line === null ? [] : [[number, line] as [number, string]]),
    ...after.map((text, index): [number, string] => [number + 1 + index, text]),
  ];
}

/** A value that is not a text counts as an empty line, so that the numbers of the others stay right. */
function textsOf(lines: unknown): string[] {
  return Array.isArray(lines) ? lines.map((line) => textOf(line) ?? "") : [];
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}
