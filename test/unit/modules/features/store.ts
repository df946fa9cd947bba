import { systemClock } from "../../../../src/domain/clock.ts";
import { silentLog } from "../../../../src/lib/log.ts";
import { systemRandomness } from "../../../../src/lib/randomness.ts";
import { features } from "../../../../src/modules/admin/feature-flags/records.ts";
import type { AnyCollectionDeclaration } from "../../../../src/store/index.ts";
import { Store } from "../../../../src/store/index.ts";
import { createTempFolder } from "../../../support/process/temp-folder.ts";

/** A store of flags alone, in a folder of its own. */
export async function openStore() {
  const folder = await createTempFolder();
  const store = await Store.open({
    folder: folder.path,
    collections: [features as unknown as AnyCollectionDeclaration],
    clock: systemClock,
    randomness: systemRandomness,
    log: silentLog,
    onDiskFailure: (error) => {
      throw error;
    },
  });
  return {
    store,
    async close() {
      await store.close();
      await folder.remove();
    },
  };
}
