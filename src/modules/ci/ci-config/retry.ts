/** The reader of `retry:`. */

import { CiFileError, isMapping, requireKnownKeys, textsOf } from "./values.ts";

/** The automatic retries of a job that fails. */
export interface RetryPlan {
  readonly max: number;
  /** Reasons for the failure; `always` for any. */
  readonly when: readonly string[];
  /** Exit codes of the script that allow a retry for any reason. */
  readonly exit_codes: readonly number[];
}

const retriesMax = 2;
const keys = new Set(["max", "when", "exit_codes"]);
const reasons = new Set([
  ...["always", "unknown_failure", "script_failure", "api_failure", "stuck_or_timeout_failure"],
  ...["runner_system_failure", "runner_unsupported", "stale_schedule", "job_execution_timeout", "archived_failure"],
  ...["unmet_prerequisites", "scheduler_failure", "data_integrity_failure", "missing_dependency_failure"],
  ...["image_pull_failure", "runner_configuration_error", "runner_external_dependency_failure"],
]);

/** `retry: 2` or `retry: { max, when, exit_codes }`; undefined for none. Throws `CiFileError`. */
export function retryOf(value: unknown, label: string): RetryPlan | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "number") return { max: maxOf(value, `${label} config`), when: ["always"], exit_codes: [] };
  if (!isMapping(value)) throw new CiFileError(`${label} config has to be either an integer or a hash`);
  requireKnownKeys(value, keys, label);
  const exit_codes = exitCodesOf(value.exit_codes, label);
  const when = textsOf(value.when, `${label}:when`);
  const unknown = when.filter((each) => !reasons.has(each));
  if (unknown.length > 0) throw new CiFileError(`${label} when contains unknown values: ${unknown.join(", ")}`);
  const otherwise = exit_codes.length === 0 ? ["always"] : [];
  return { max: maxOf(value.max ?? 0, `${label} max`), when: when.length === 0 ? otherwise : when, exit_codes };
}

/** One exit code, several or none. Throws `CiFileError`. */
export function exitCodesOf(value: unknown, label: string): number[] {
  return [value ?? []].flat().map((code) => {
    if (typeof code === "number" && Number.isSafeInteger(code)) return code;
    throw new CiFileError(`${label} exit codes should be an array of integers or an integer`);
  });
}

function maxOf(value: unknown, label: string): number {
  if (typeof value !== "number") throw new CiFileError(`${label} is not a number`);
  if (!Number.isInteger(value)) throw new CiFileError(`${label} must be an integer`);
  if (value < 0) throw new CiFileError(`${label} must be greater than or equal to 0`);
  if (value > retriesMax) throw new CiFileError(`${label} must be less than or equal to ${retriesMax}`);
  return value;
}
