import type { Static } from "@sinclair/typebox";
import type { FeatureDefinition } from "../../../domain/feature-definition.ts";
import type { View } from "../../kernel/view.ts";
import { type Gates, stateOf } from "./gates.ts";
import type { FeatureRecord } from "./records.ts";
import type * as schema from "./schema.ts";
import { Features } from "./service-flags.ts";

/** feature-flags 2. */
export function presentFeature(feature: FeatureRecord, { context }: View): Static<typeof schema.Feature> {
  const definition = context.get(Features).definitions.get(feature.name);
  return {
    name: feature.name,
    state: stateOf(feature),
    gates: gatesOf(feature),
    definition: definition === undefined ? null : commonOf(definition),
  };
}

export function presentDefinition(definition: FeatureDefinition): Static<typeof schema.FeatureDefinition> {
  const { milestone, log_state_changes } = definition;
  return { ...commonOf(definition), milestone, log_state_changes };
}

function commonOf(definition: FeatureDefinition) {
  const { name, introduced_by_url, rollout_issue_url, group, type, default_enabled } = definition;
  return { name, introduced_by_url, rollout_issue_url, group, type, default_enabled };
}

/** The boolean gate always, others unless they are empty. */
function gatesOf(gates: Gates): Static<typeof schema.Feature>["gates"] {
  const { boolean, actors, groups, percentage_of_actors, percentage_of_time } = gates;
  return [
    { key: "boolean", value: boolean },
    ...(actors.length === 0 ? [] : [{ key: "actors", value: [...actors] }]),
    ...(groups.length === 0 ? [] : [{ key: "groups", value: [...groups] }]),
    ...(percentage_of_actors === 0 ? [] : [{ key: "percentage_of_actors", value: percentage_of_actors }]),
    ...(percentage_of_time === 0 ? [] : [{ key: "percentage_of_time", value: percentage_of_time }]),
  ];
}
