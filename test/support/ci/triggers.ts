import { type TriggerRecord, triggers } from "../../../src/modules/ci/triggers/records.ts";
import type { World } from "../fixtures/world.ts";

/** A trigger token straight in the store. */
export function putTrigger(
  { store, clock, context }: World,
  projectId: number,
  ownerId: number,
  attributes: Partial<TriggerRecord> = {},
): TriggerRecord {
  return store.transact((tx) =>
    tx.insert(triggers, {
      id: tx.nextId("triggers"),
      project_id: projectId,
      token: `glptt-${context.randomness.token(20)}`,
      description: "nightly",
      owner_id: ownerId,
      created_at: clock.time(),
      updated_at: clock.time(),
      last_used: null,
      expires_at: null,
      ...attributes,
    }),
  );
}
