import { shapes as access } from "./access.ts";
import { shapes as alerts } from "./alerts.ts";
import { shapes as errorTracking } from "./error-tracking.ts";
import { shapes as installation } from "./installation.ts";
import { shapes as namespaces } from "./namespaces.ts";
import { shapes as packages } from "./packages.ts";
import { shapes as people } from "./people.ts";
import { shapes as pipelines } from "./pipelines.ts";
import type { RecordShape } from "./shape.ts";
import { shapes as tracker } from "./tracker.ts";

export { lostReferenceOf, references } from "./references.ts";

const byCollection = new Map(
  [access, alerts, errorTracking, installation, namespaces, packages, people, pipelines, tracker]
    .flat()
    .map((shape) => [shape.collection, shape]),
);

/** Every collection of the store has a shape here, which tsc holds to the type of its documents. */
function shapeFor(collection: string): RecordShape {
  const shape = byCollection.get(collection);
  if (shape === undefined) throw new Error(`there is no shape for ${collection}`);
  return shape;
}

/** What keeps something from being a document of a collection, as `bio is missing`; undefined: nothing does. */
export function faultOfDocument(collection: string, document: unknown): string | undefined {
  return shapeFor(collection).shape.faultOf(document)?.replace(/^[. ]/, "");
}

/** Fields that this version does not know: of an earlier one, or misspelt. */
export function unknownFieldsOf(collection: string, document: object): string[] {
  const { fields } = shapeFor(collection);
  return Object.keys(document).filter((name) => !fields.has(name));
}
