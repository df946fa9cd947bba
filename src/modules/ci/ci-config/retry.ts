/** The reader of `retry:`. */

import { isMapping, textsOf } from "./values.ts";

/** The automatic retries of a job that fails. */
export interface RetryPlan {
  readonly max: number;
  /** Reasons for the failure; `always` for any. */
  readonly when: readonly string[];
  /** Exit codes of the script that allow a retry for any reason. */
  readonly exit_codes: readonly number[];
}

/** `retry: 2` or `retry: { max, when, exit_codes }`; undefined for none. */
export function retryOf(value: unknown): RetryPlan | undefined {
  if (typeof value === "number") return { max: value, when: ["always"], exit_codes: [] };
  if (!isMapping(value)) return undefined;
  const exit_codes = exitCodesOf(value.exit_codes);
  const when = textsOf(value.when);
  const otherwise = exit_codes.length === 0 ? ["always"] : [];
  const max = typeof value.max === "number" ? value.max : 0;
  return { max, when: when.length === 0 ? otherwise : when, exit_codes };
}

/** One exit code, several or none. */
export function exitCodesOf(value: unknown): number[] {
  return [value ?? []].flat().filter((code) => typeof code === "number");
}
