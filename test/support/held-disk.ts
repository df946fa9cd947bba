import type { Disk, DiskFile } from "../../src/store/disk.ts";
import { systemDisk } from "../../src/store/index.ts";

/** The real disk, whose syncs off the event loop can be made to wait. Its syncs are slow enough that none is on the event loop. */
export class HeldDisk {
  readonly disk: Disk = { ...systemDisk, open: (path, mode) => this.#held(systemDisk.open(path, mode)) };
  #hold: PromiseWithResolvers<void> | undefined;

  hold(): void {
    this.#hold ??= Promise.withResolvers();
  }

  release(): void {
    this.#hold?.resolve();
    this.#hold = undefined;
  }

  #held(file: DiskFile): DiskFile {
    return {
      ...file,
      syncLater: async () => {
        await Bun.sleep(1);
        await this.#hold?.promise;
        await file.syncLater();
      },
    };
  }
}
