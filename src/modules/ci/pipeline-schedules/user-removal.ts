/** The schedules of a deleted user: they stay without an owner, and do not run any more. */

import { userRemovalStep } from "../../core/users/index.ts";
import { subscribe } from "../../kernel/event.ts";
import { firstOf } from "../../kernel/removal.ts";
import { pipelineSchedules } from "./records.ts";

export const scheduleOwnerRemoval = subscribe(userRemovalStep, {
  phase: 6,
  run(tx, { store }, { user, budget }) {
    const documents = store.of(pipelineSchedules);
    budget.spend((limit) => {
      const ids = firstOf(documents.by.owner_id.find(user.id), limit);
      for (const id of ids) {
        const schedule = documents.get(id);
        if (schedule === undefined) continue;
        tx.update(pipelineSchedules, { ...schedule, owner_id: null, active: false, next_run_at: null });
      }
      return ids.length;
    });
  },
});
