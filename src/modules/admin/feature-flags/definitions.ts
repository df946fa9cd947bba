/** All definitions of flags: the server's own, and those of the configured folder. */

import type { FeatureDefinition, FeatureDefinitions } from "../../../domain/feature-definition.ts";
import { StartError } from "../../../domain/start-error.ts";
import { shippedDefinitions } from "./catalogue.ts";

/** Throws `StartError` for a name that is there already: two meanings of one flag are none. */
export function definitionsWith(added: readonly FeatureDefinition[]): FeatureDefinitions {
  const all = new Map<string, FeatureDefinition>();
  for (const definition of [...shippedDefinitions, ...added]) {
    if (all.has(definition.name)) {
      throw new StartError(
        `the feature definition ${definition.name} is there twice`,
        "rename the one in the folder of --feature-definitions",
      );
    }
    all.set(definition.name, definition);
  }
  return new Map([...all].sort(([a], [b]) => (a < b ? -1 : 1)));
}
