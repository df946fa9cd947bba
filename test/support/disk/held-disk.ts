import type { Disk, DiskFile } from "../../../src/store/disk.ts";
import { systemDisk } from "../../../src/store/index.ts";

/**
 * The real disk, on which the journal's syncs off the event loop can be made to wait. They are slow enough that none is on
 * the event loop. Other files, such as uploads, never wait: a request syncs them before it changes anything.
 */
export class HeldDisk {
  readonly disk: Disk = { ...systemDisk, open: (path, mode) => this.#opened(path, systemDisk.open(path, mode)) };
  #hold: PromiseWithResolvers<void> | undefined;

  hold(): void {
    this.#hold ??= Promise.withResolvers();
  }

  release(): void {
    this.#hold?.resolve();
    this.#hold = undefined;
  }

  #opened(path: string, file: DiskFile): DiskFile {
    if (!path.endsWith(".log")) return file;
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
