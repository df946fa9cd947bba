export { shippedDefinitions } from "./catalogue.ts";
export { definitionsWith } from "./definitions.ts";
export { FeatureFlags } from "./flags.ts";
export { featureOperations } from "./operations.ts";
export { readDefinitions } from "./read-definitions.ts";
export { features } from "./records.ts";
