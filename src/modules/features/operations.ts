import { Type } from "@sinclair/typebox";
import { mutuallyExclusive } from "../../domain/parameters.ts";
import { created, nothing, ok, operation } from "../operation.ts";
import { allFeatures } from "./flags.ts";
import { presentDefinition, presentFeature } from "./present.ts";
import { Feature, FeatureDefinition, FeatureName, SetFeature } from "./schema.ts";
import { deleteFeature, setFeature } from "./service.ts";
import { targetKinds } from "./targets.ts";

export const featureOperations = [
  operation({
    method: "GET",
    path: "/features",
    summary: "List the server's feature flags that were set",
    who: "administrator_first",
    params: Type.Object({}),
    answer: ok(Type.Array(Feature)),
    handle({ context }) {
      return allFeatures(context.store).map((feature) => presentFeature(context.features.definitions, feature));
    },
  }),

  operation({
    method: "GET",
    path: "/features/definitions",
    summary: "List the definitions of the server's feature flags",
    who: "administrator_first",
    params: Type.Object({}),
    answer: ok(Type.Array(FeatureDefinition)),
    handle({ context }) {
      return [...context.features.definitions.values()].map(presentDefinition);
    },
  }),

  operation({
    method: "POST",
    path: "/features/:name",
    summary: "Set or create a feature flag of the server",
    who: "administrator_first",
    params: SetFeature,
    rules: targetKinds.map((kind) => mutuallyExclusive("key", kind)),
    answer: created(Feature),
    failures: ["invalid"],
    handle({ context, caller, params }) {
      return presentFeature(context.features.definitions, setFeature(context, caller, params));
    },
  }),

  operation({
    method: "DELETE",
    path: "/features/:name",
    summary: "Delete a feature flag of the server",
    who: "administrator_first",
    params: Type.Object(FeatureName),
    answer: nothing(),
    handle({ context, caller, params, unmodifiedSince }) {
      deleteFeature(context, caller, params.name, unmodifiedSince);
    },
  }),
];
