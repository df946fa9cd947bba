import { invalid } from "../../domain/failure.ts";
import type { FaultEffect } from "../../modules/sandbox/faults/records.ts";

/** The fault that a client requests in the `Prefer` header. */
export interface PreferredFault {
  readonly effect: FaultEffect;
  /** The value of `Preference-Applied`. */
  readonly applied: string;
}

/** Splits at commas outside of quotes. */
const preferences = /(?:[^,"]|"[^"]*"?)+/g;
const nameAndRest = /^([\w!#$%&'*+.^`|~-]+)\s*(.*)$/s;
const valueInRest = /^(?:=\s*(?!\s)(?:"([^"]*)"|([^\s;"]*)))?\s*(?:;.*)?$/s;

/**
 * Reads `code`, `wait`, `drop` and `apply-then-drop` of a `Prefer` header (RFC 7240); undefined when it has none of them.
 * Ignores other preferences, and repetitions. Throws 400 that names the invalid value.
 */
export function readPreferredFault(header: string | null): PreferredFault | undefined {
  if (header === null) return undefined;
  const given = new Map<string, string>();
  for (const [preference] of header.matchAll(preferences)) {
    const [, name, rest = ""] = nameAndRest.exec(preference.trim()) ?? [];
    if (name !== undefined && !given.has(name.toLowerCase())) given.set(name.toLowerCase(), valueIn(rest));
  }
  const code = numberOf(given, "code", { min: 400, max: 599, isWhole: true });
  const wait = numberOf(given, "wait", { min: 0, max: 60, isWhole: false });
  const ends = ["code", "drop", "apply-then-drop"].filter((name) => given.has(name));
  if (ends.length > 1) throw invalid(`Prefer: ${ends.join(" and ")} exclude each other`);
  for (const name of ends.filter((end) => end !== "code")) {
    if (given.get(name) !== "") throw invalid(`Prefer: ${name} takes no value`);
  }
  const applied = [
    ...(wait === undefined ? [] : [`wait=${wait}`]),
    ...(code === undefined ? ends : [`code=${code}`]),
  ].join(", ");
  if (applied === "") return undefined;
  const effect: FaultEffect = {
    ...(wait === undefined ? {} : { wait_ms: Math.round(wait * 1000) }),
    ...(code === undefined ? {} : { code }),
    ...(given.has("drop") ? { drop: true } : {}),
    ...(given.has("apply-then-drop") ? { apply_then_drop: true } : {}),
  };
  return { effect, applied };
}

/** Returns the value after a name, or the whole rest if it is no value. */
function valueIn(rest: string): string {
  const found = valueInRest.exec(rest);
  return found === null ? rest : (found[1] ?? found[2] ?? "");
}

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly isWhole: boolean;
}

function numberOf(given: ReadonlyMap<string, string>, name: string, bounds: Bounds): number | undefined {
  const text = given.get(name);
  if (text === undefined) return undefined;
  const value = Number(text);
  const { min, max, isWhole } = bounds;
  const isNumber = (isWhole ? /^\d{1,9}$/ : /^\d{1,9}(\.\d{1,9})?$/).test(text);
  if (isNumber && value >= min && value <= max) return value;
  throw invalid(`Prefer: ${name} has to be a ${isWhole ? "whole number" : "number of seconds"} from ${min} to ${max}`);
}
