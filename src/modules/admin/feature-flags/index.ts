import { defineModule } from "../../kernel/module.ts";
import { features } from "./records.ts";
import { featureOperations } from "./operations.ts";

export { shippedDefinitions } from "./catalogue.ts";
export { features } from "./records.ts";
export { definitionsWith } from "./definitions.ts";
export { FeatureFlags } from "./flags.ts";
export { readDefinitions } from "./read-definitions.ts";

export const featureFlagsModule = defineModule({
  name: "feature-flags",
  tag: "Feature flags",
  operations: featureOperations,
  collections: [features],
});
