import { defineModule } from "../../kernel/module.ts";
import { featureEvents } from "./events.ts";
import { features } from "./records.ts";
import { Features } from "./service-flags.ts";

export { shippedDefinitions } from "./catalogue.ts";
export { definitionsWith } from "./definitions.ts";
export { featureEvents } from "./events.ts";
export { readDefinitions } from "./read-definitions.ts";
export { FeatureFlags, Features } from "./service-flags.ts";

export const featureFlagsModule = defineModule({
  name: "feature-flags",
  tag: "Feature flags",
  about: { "Feature flags": "Features that administrators enable for all or some." },
  areas: ["-/features", "features"],
  operations: async () => (await import("./operations.ts")).featureOperations,
  samples: async () => (await import("./samples.ts")).featureFlagSamples,
  services: [Features],
  collections: [features],
  events: featureEvents.all,
});
