/** The rules for CI variables (ci-variables 4). */

import { invalid } from "../../../domain/failure.ts";
import { exceedsLength } from "../../../lib/text/text.ts";
import type { Store } from "../../../store/index.ts";
import { type CiVariableRecord, ciVariables, scopedKey, variableSourceKey } from "./records.ts";

const textMax = 255;
const instanceValueMax = 10_000;
const valueMax = 1_048_576;
/** Characters of all values of a source: each pipeline reads them, and each job gets them. */
const valuesMax = 2_097_152;
const keyForm = /^[A-Za-z0-9_]+$/;
const scopeForm = /^[-A-Za-z0-9_/${}.* ]+$/;
/** The values that runners can find in a log; with `raw`, they may have other characters. */
const maskable = /^[A-Za-z0-9_+=/@:.~-]{8,}$/;
const maskableRaw = /^\S{8,}$/;

/** The number of variables that a source may have, and its name in the error. */
const limits = {
  project: { max: 8_000, noun: "project ci variables" },
  group: { max: 30_000, noun: "group ci variables" },
  instance: { max: 25, noun: "ci instance level variables" },
} as const;

/** Throws 400 with every fault of a variable, by field. */
export function requireValidVariable(store: Store, variable: CiVariableRecord, before?: CiVariableRecord): void {
  const faults: Record<string, string[]> = {};
  const check = (field: string, isGood: boolean, fault: string) => {
    if (!isGood) faults[field] = [...(faults[field] ?? []), fault];
  };
  const { source_type, key, value, masked, raw, environment_scope, description } = variable;
  const isInstance = source_type === "instance";
  check("key", key !== "", "can't be blank");
  check("key", !exceedsLength(key, textMax), `is too long (maximum is ${textMax} characters)`);
  check("key", keyForm.test(key), "can contain only letters, digits and '_'.");
  const taken = store.of(ciVariables).by.scoped_key.find(scopedKey(variable, key, environment_scope));
  check("key", taken === undefined || taken === before?.id, `(${key}) has already been taken`);
  check("value", !masked || (raw ? maskableRaw : maskable).test(value), "is invalid");
  check(
    "value",
    !exceedsLength(value, isInstance ? instanceValueMax : valueMax),
    isInstance
      ? `The value of the provided variable exceeds the ${instanceValueMax} character limit`
      : `is too long (maximum is ${valueMax} characters)`,
  );
  check("environment_scope", environment_scope !== "", "can't be blank");
  check(
    "environment_scope",
    scopeForm.test(environment_scope),
    "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', '*', and spaces",
  );
  check(
    "environment_scope",
    !exceedsLength(environment_scope, textMax),
    `is too long (maximum is ${textMax} characters)`,
  );
  check(
    "description",
    description === null || !exceedsLength(description, textMax),
    `is too long (maximum is ${textMax} characters)`,
  );
  check(
    "base",
    before?.hidden !== true || masked,
    "The visibility setting cannot be changed for masked and hidden variables.",
  );
  const { max, noun } = limits[source_type];
  const count = store.of(ciVariables).by.source.find(variableSourceKey(variable)).size;
  check("base", before !== undefined || count < max, `Maximum number of ${noun} (${max}) exceeded`);
  const length = store.of(ciVariables).by.length.of(variableSourceKey(variable)) - (before?.value.length ?? 0);
  check("base", length + value.length <= valuesMax, `The values are too long (maximum is ${valuesMax} characters)`);
  if (Object.keys(faults).length > 0) throw invalid(faults);
}
