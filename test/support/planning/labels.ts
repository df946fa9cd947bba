import { type LabelRecord, labels } from "../../../src/modules/planning/labels/records.ts";
import { type MilestoneRecord, milestones } from "../../../src/modules/planning/milestones/records.ts";
import type { World } from "../fixtures/world.ts";

type Source = { readonly type: "project" | "group"; readonly id: number };

/** A label straight in the store. */
export function addLabel({ store, clock }: World, source: Source, attributes: Partial<LabelRecord> = {}): LabelRecord {
  return store.transact((tx) => {
    const id = tx.nextId("labels");
    return tx.insert(labels, {
      id,
      source_type: source.type,
      source_id: source.id,
      title: `label${id}`,
      description: null,
      color: "#112233",
      created_at: clock.time(),
      updated_at: clock.time(),
      ...attributes,
    });
  });
}

/** A milestone straight in the store. */
export function addMilestone(
  { store, clock }: World,
  source: Source,
  attributes: Partial<MilestoneRecord> = {},
): MilestoneRecord {
  return store.transact((tx) => {
    const id = tx.nextId("milestones");
    return tx.insert(milestones, {
      id,
      iid: tx.nextId(`milestones of ${source.type} ${source.id}`),
      source_type: source.type,
      source_id: source.id,
      title: `milestone${id}`,
      description: null,
      state: "active",
      start_date: null,
      due_date: null,
      created_at: clock.time(),
      updated_at: clock.time(),
      ...attributes,
    });
  });
}
