/** The fingerprints of alerts. */

import { spend } from "../../../../domain/work-budget.ts";
import { canonical, flatten, isObject, type JsonObject } from "./json.ts";
import { textOf } from "./values.ts";

/** The fields that differ between two occurrences of one alert (alerts A.6). */
const passing = new Set(["start_time", "end_time", "hosts"]);

/** SHA-1 in 40 hex digits. */
export function fingerprintOf(text: string): string {
  return new Bun.CryptoHasher("sha1").update(text).digest("hex");
}

/** A fingerprint as a tool gives it: text, a number, or an array of them; undefined when it is blank. */
export function givenFingerprint(value: unknown): string | undefined {
  if (!Array.isArray(value)) return textOf(value);
  const parts = value
    .flat(Number.POSITIVE_INFINITY)
    .map((part) => (isObject(part) ? canonical(part) : (textOf(part) ?? "")));
  return textOf(parts.join(""));
}

/** The steps of a leaf that becomes JSON with its path, and is sorted. */
const leafSteps = 100;
/** Characters of a path that take one step: it is compared, and becomes JSON twice. */
const pathCharactersPerStep = 2;

/** Returns a hash of the payload without its volatile fields; null when nothing is left. Throws `OverBudget`. */
export function fingerprintOfPayload(payload: JsonObject): string | null {
  const lasting = Object.fromEntries(Object.entries(payload).filter(([name]) => !passing.has(name)));
  const leaves = flatten(lasting);
  const pathCharacters = leaves.reduce((sum, [path]) => sum + path.length, 0);
  spend(leafSteps * leaves.length + pathCharacters / pathCharactersPerStep, "input");
  if (leaves.every(([, leaf]) => isBlank(leaf))) return null;
  return fingerprintOf(canonical(leaves.map(([path, leaf]) => [path, canonical(leaf)] as const).sort(byPath)));
}

function byPath([one]: readonly [string, string], [other]: readonly [string, string]): number {
  return one < other ? -1 : Number(one > other);
}

function isBlank(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === null || (typeof value === "string" && value.trim() === "");
}
