import { join } from "node:path";

/** Folder of the files of a store that was never replaced. */
export function firstGenerationOf(dataFolder: string): string {
  return join(dataFolder, "generations/0001");
}
