/** The reader of `environment:`. */

import { CiFileError, isMapping, requireKnownKeys } from "./values.ts";

/** `environment:` of a job: the target of its deployment. Texts may hold variables. */
export interface EnvironmentPlan {
  readonly name: string;
  readonly url: string | null;
  readonly action: string;
  readonly tier: string | null;
}

const keys = new Set(["name", "url", "action", "on_stop", "auto_stop_in", "kubernetes", "deployment_tier"]);
const actions = ["start", "stop", "prepare", "verify", "access"] as const;

/** undefined for none. Throws `CiFileError`. */
export function environmentOf(value: unknown, label: string): EnvironmentPlan | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") return { name: value, url: null, action: "start", tier: null };
  if (!isMapping(value)) throw new CiFileError(`${label} config should be a hash or a string`);
  requireKnownKeys(value, keys, label);
  const { name, url, action = "start", deployment_tier: tier } = value;
  if (typeof name !== "string" || name === "") throw new CiFileError(`${label} name can't be blank`);
  const known = actions.find((each) => each === action);
  if (known === undefined) throw new CiFileError(`${label} action should be ${actions.join(", ")}`);
  return {
    name,
    url: typeof url === "string" ? url : null,
    action: known,
    tier: typeof tier === "string" ? tier : null,
  };
}
