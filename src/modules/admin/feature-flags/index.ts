import { defineModule } from "../../kernel/module.ts";
import { Features } from "./flags.ts";
import { featureOperations } from "./operations.ts";
import { features } from "./records.ts";

export { shippedDefinitions } from "./catalogue.ts";
export { definitionsWith } from "./definitions.ts";
export { FeatureFlags, Features } from "./flags.ts";
export { readDefinitions } from "./read-definitions.ts";
export { features } from "./records.ts";

export const featureFlagsModule = defineModule({
  name: "feature-flags",
  tag: "Feature flags",
  operations: featureOperations,
  services: [Features],
  collections: [features],
});
