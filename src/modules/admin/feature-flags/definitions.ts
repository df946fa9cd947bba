import { StartError } from "../../../domain/start-error.ts";
import { type FeatureDefinition, shippedDefinitions } from "./catalogue.ts";

/** Definitions by name: those that the server ships and those that were added, in the order of their names. */
export type FeatureDefinitions = ReadonlyMap<string, FeatureDefinition>;

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
