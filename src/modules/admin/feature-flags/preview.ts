/** Whether a flag is on for one user, group or project, and why. */

import type { Static } from "@sinclair/typebox";
import type { Context } from "../../kernel/context.ts";
import { isInPercentage, optOutOf } from "./gates.ts";
import type { FeatureRecord } from "./records.ts";
import type { FeatureState, PreviewFeature } from "./schema.ts";
import { findFeature } from "./service.ts";
import { Features } from "./service-flags.ts";
import { targetsOf } from "./targets.ts";

type State = Static<typeof FeatureState>;

/** `GET /-/features/:name`, for nobody in particular without a target. Throws 400 for a target that does not exist. */
export function previewFeature(context: Context, params: Static<typeof PreviewFeature>): State {
  const { name, user, group, project } = params;
  const given = { user, group, project };
  const named = Object.entries(given).flatMap(([kind, path]) => (path === undefined ? [] : [[kind, [path]]]));
  const [actor] = targetsOf(context, Object.fromEntries(named))?.actors ?? [];
  const record = findFeature(context.store, name);
  return { name, ...(record === undefined ? defaultOf(context, name) : decisionOf(record, actor)) };
}

type Decision = Omit<State, "name">;

function defaultOf(context: Context, name: string): Decision {
  const isOn = context.get(Features).definitions.get(name)?.default_enabled;
  if (isOn === undefined) return { state: "off", reason: "nobody has set or defined the flag" };
  return { state: isOn ? "on" : "off", reason: "nobody has set the flag, and this is its default" };
}

/** In the order in which the gates decide. */
function decisionOf(record: FeatureRecord, actor: string | undefined): Decision {
  const { name, actors, percentage_of_actors, percentage_of_time } = record;
  if (actor !== undefined && actors.includes(optOutOf(actor)))
    return { state: "off", reason: `${actor} has opted out` };
  if (record.boolean) return { state: "on", reason: "the flag is on for everybody" };
  if (actor !== undefined && actors.includes(actor)) return { state: "on", reason: `the flag is set for ${actor}` };
  if (actor !== undefined && isInPercentage(percentage_of_actors, name, actor))
    return { state: "on", reason: `${actor} is among the ${percentage_of_actors} % of actors` };
  if (percentage_of_time === 100) return { state: "on", reason: "the flag is on 100 % of the time" };
  if (percentage_of_time > 0)
    return { state: "sometimes", reason: `the flag is on ${percentage_of_time} % of the time` };
  return { state: "off", reason: "no gate of the flag is open" };
}
