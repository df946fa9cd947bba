/** The reader of `environment:`. */

import { isMapping, stringOf } from "./values.ts";

/** `environment:` of a job: the target of its deployment. Texts may hold variables. */
export interface EnvironmentPlan {
  readonly name: string;
  readonly url: string | null;
  readonly action: string;
  readonly tier: string | null;
}

/** undefined for none. */
export function environmentOf(value: unknown): EnvironmentPlan | undefined {
  const { name, url, action, deployment_tier: tier } = isMapping(value) ? value : { name: value };
  const called = stringOf(name);
  if (called === undefined) return undefined;
  return {
    name: called,
    url: stringOf(url) ?? null,
    action: stringOf(action) ?? "start",
    tier: stringOf(tier) ?? null,
  };
}

/** The job that ends the environment; undefined for none. */
export function onStopOf(value: unknown): string | undefined {
  return isMapping(value) ? stringOf(value.on_stop) : undefined;
}
