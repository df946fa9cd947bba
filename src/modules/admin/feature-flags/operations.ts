import { Type } from "@sinclair/typebox";
import { mutuallyExclusive } from "../../../domain/parameters.ts";
import { created, noContent, ok, operation } from "../../kernel/operation.ts";
import { presentDefinition, presentFeature } from "./present.ts";
import { previewFeature } from "./preview.ts";
import {
  Feature,
  FeatureDefinition,
  FeatureName,
  FeatureState,
  FlagSetting,
  PreviewFeature,
  SetFeature,
} from "./schema.ts";
import { deleteFeature, updateFeature } from "./service.ts";
import { Features, listFeatures } from "./service-flags.ts";
import { targetKinds } from "./targets.ts";

/** A flag may have any name, so that a fixed path is a flag's for the methods that it does not have itself. */
const nameInPath = "definitions";

export const featureOperations = [
  operation({
    method: "GET",
    path: "/features",
    summary: "List feature flags",
    who: "administrator_first",
    params: Type.Object({}),
    answer: ok(Type.Array(Feature)),
    handle(call) {
      return listFeatures(call.context.store).map((feature) => presentFeature(feature, call));
    },
  }),

  operation({
    method: "GET",
    path: "/features/definitions",
    summary: "List feature flag definitions",
    who: "administrator_first",
    params: Type.Object({}),
    answer: ok(Type.Array(FeatureDefinition)),
    handle({ context }) {
      return [...context.get(Features).definitions.values()].map(presentDefinition);
    },
  }),

  operation({
    method: "GET",
    path: "/-/features/:name",
    root: true,
    summary: "Get the state of a feature flag for a user, group or project",
    who: "administrator",
    params: PreviewFeature,
    rules: [mutuallyExclusive("user", "group", "project")],
    answer: ok(FeatureState),
    failures: ["invalid"],
    handle({ context, params }) {
      return previewFeature(context, params);
    },
  }),

  operation({
    method: "POST",
    path: "/features/:name",
    summary: "Set or create a feature flag",
    who: "administrator_first",
    params: SetFeature,
    rules: targetKinds.map((kind) => mutuallyExclusive("key", kind)),
    answer: created(Feature),
    failures: ["invalid"],
    handle(call) {
      const { context, caller, params } = call;
      return presentFeature(updateFeature(context, caller, params), call);
    },
  }),

  operation({
    method: "DELETE",
    path: "/features/:name",
    summary: "Delete a feature flag",
    who: "administrator_first",
    params: Type.Object(FeatureName),
    answer: noContent(),
    handle({ context, caller, params, unmodifiedSince }) {
      deleteFeature(context, caller, params.name, unmodifiedSince);
    },
  }),

  operation({
    method: "POST",
    path: `/features/${nameInPath}`,
    summary: `Set or create the feature flag ${nameInPath}`,
    who: "administrator_first",
    params: FlagSetting,
    rules: targetKinds.map((kind) => mutuallyExclusive("key", kind)),
    answer: created(Feature),
    failures: ["invalid"],
    handle(call) {
      const { context, caller, params } = call;
      const feature = updateFeature(context, caller, { ...params, name: nameInPath });
      return presentFeature(feature, call);
    },
  }),

  operation({
    method: "DELETE",
    path: `/features/${nameInPath}`,
    summary: `Delete the feature flag ${nameInPath}`,
    who: "administrator_first",
    params: Type.Object({}),
    answer: noContent(),
    handle({ context, caller, unmodifiedSince }) {
      deleteFeature(context, caller, nameInPath, unmodifiedSince);
    },
  }),
];
