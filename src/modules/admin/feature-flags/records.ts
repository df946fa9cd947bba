import { collection, field, ordered, type RecordOf, record, unique } from "../../../store/index.ts";
import { Gates } from "./gates.ts";

/** A flag that was ever set and not deleted since. */
export const FeatureRecord = record({
  ...Gates.properties,
  id: field.whole,
  name: field.text,
  created_at: field.moment,
  updated_at: field.moment,
});
export type FeatureRecord = RecordOf<typeof FeatureRecord>;

export const features = collection("features", FeatureRecord, {
  indexes: {
    name: unique((feature: FeatureRecord) => feature.name),
    name_order: ordered((feature: FeatureRecord) => feature.name),
  },
});
