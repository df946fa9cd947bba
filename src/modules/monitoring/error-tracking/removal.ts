import type { ProjectRemoval } from "../../kernel/project-hooks.ts";
import { clientKeys, errorPayloads, errorTrackingSettings, trackedErrors } from "./records.ts";

/** Events are entries of a log, which stay: nobody finds them without their error, and large payloads go. */
export const errorTrackingRemoval: ProjectRemoval = {
  remove(tx, { store }, { id }, limit) {
    let taken = 0;
    const take = (ids: Iterable<number>, remove: (id: number) => void) => {
      for (const each of [...ids].slice(0, limit - taken)) {
        remove(each);
        taken += 1;
      }
    };
    if (store.of(errorTrackingSettings).get(id) !== undefined) tx.remove(errorTrackingSettings, id);
    take(store.of(clientKeys).by.project_id.find(id), (each) => tx.remove(clientKeys, each));
    take(store.of(errorPayloads).by.project_id.find(id), (each) => tx.remove(errorPayloads, each));
    take(store.of(trackedErrors).by.project_id.find(id), (each) => tx.remove(trackedErrors, each));
    return taken;
  },
};
