/** The removal of error tracking with its project. */

import { projectRemovalStep } from "../../core/namespaces/index.ts";
import { subscribe } from "../../kernel/event.ts";
import { errorTrackingSettings } from "./records.ts";

export const errorTrackingSettingsRemoval = subscribe(projectRemovalStep, {
  run(tx, { store }, { project: { id } }) {
    if (store.of(errorTrackingSettings).get(id) !== undefined) tx.remove(errorTrackingSettings, id);
  },
});
