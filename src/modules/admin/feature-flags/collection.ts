import type { DateTime } from "../../../lib/datetime.ts";
import { collection, ordered, unique } from "../../../store/index.ts";
import type { Gates } from "./gates.ts";

/** A flag that was ever set and not deleted since. */
export interface FeatureRecord extends Gates {
  readonly id: number;
  readonly name: string;
  readonly created_at: DateTime;
  readonly updated_at: DateTime;
}

export const features = collection<FeatureRecord>()("features", {
  name: unique((feature: FeatureRecord) => feature.name),
  name_order: ordered((feature: FeatureRecord) => feature.name),
});
