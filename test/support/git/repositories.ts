import { Repositories } from "../../../src/git/index.ts";
import { copyingWorker, packWorker } from "../../../src/workers.ts";

/** Opens the repositories of a data folder, on one storage inside it. */
export function openRepositories(dataFolder: string): Repositories {
  return new Repositories({
    storages: [{ name: "default", folder: undefined }],
    dataFolder,
    generation: "0001",
    isReadOnly: () => false,
    copyingWorker,
    packWorker,
  });
}
