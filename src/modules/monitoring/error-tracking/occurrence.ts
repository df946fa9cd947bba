/** The occurrence of an error that an event reports. */

import { invalid } from "../../../domain/failure.ts";
import { type DateTime, parseDateTime, toDateTime } from "../../../lib/datetime.ts";
import { exceedsLength } from "../../../lib/text/text.ts";
import { type JsonObject, textOf } from "./documents.ts";
import { exceptionsOf, framesOf } from "./event-shape.ts";

/** The facts about one event beside its payload: events with the same name, actor and platform are one error. */
export interface ErrorOccurrence {
  readonly name: string;
  readonly actor: string;
  readonly platform: string | null;
  readonly description: string;
  readonly environment: string | null;
  readonly level: string | null;
  readonly occurred_at: DateTime;
}

const lengthMax = 255;
const descriptionLengthMax = 1024;

/** A checked event → its occurrence (error-tracking C, Grouping). Throws 400 for texts that are too long. */
export function occurrenceOf(event: JsonObject, now: number): ErrorOccurrence {
  const exceptions = exceptionsOf(event);
  const exception = exceptions.find((each) => framesOf(each) !== undefined) ?? exceptions[0] ?? {};
  const name = given(exception.type) ?? "Error";
  const occurrence = {
    name,
    actor: given(event.transaction) ?? lastFunction(exception) ?? "unknown",
    platform: textOf(event.platform),
    description: cut(given(exception.value) ?? name, descriptionLengthMax),
    environment: textOf(event.environment),
    level: textOf(event.level),
    occurred_at: timeOf(event.timestamp, now),
  };
  requireShort(occurrence);
  return occurrence;
}

/** The first `lengthMax` characters. */
function cut(text: string, length: number): string {
  return exceedsLength(text, length) ? [...text].slice(0, length).join("") : text;
}

function given(value: unknown): string | undefined {
  const text = textOf(value);
  return text === null || text.trim() === "" ? undefined : text;
}

/** `run(app.jobs)`: where the exception was thrown. */
function lastFunction(exception: JsonObject): string | undefined {
  const frame = framesOf(exception)?.at(-1);
  return frame && `${textOf(frame.function) ?? ""}(${textOf(frame.module) ?? ""})`;
}

function requireShort(occurrence: ErrorOccurrence): void {
  const long = (["name", "actor", "platform", "environment", "level"] as const)
    .filter((field) => exceedsLength(occurrence[field], lengthMax))
    .map(
      (field) => `${field.charAt(0).toUpperCase()}${field.slice(1)} is too long (maximum is ${lengthMax} characters)`,
    );
  if (long.length > 0) throw invalid(`Validation failed: ${long.join(", ")}`);
}

/** ISO 8601, or seconds since 1970; now for anything else, since a clock that is wrong is no reason to lose an error. */
function timeOf(timestamp: unknown, now: number): DateTime {
  const isSeconds = typeof timestamp === "string" && /^\d+(\.\d+)?$/.test(timestamp.trim());
  if (typeof timestamp === "number" || isSeconds) {
    const date = new Date(Math.round(Number(timestamp) * 1000));
    const year = date.getUTCFullYear();
    return year >= 0 && year <= 9999 ? date.toISOString() : toDateTime(now);
  }
  return (typeof timestamp === "string" ? parseDateTime(timestamp) : undefined) ?? toDateTime(now);
}
