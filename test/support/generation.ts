import { join } from "node:path";

/** Where a store that was never replaced has its files. */
export function firstGenerationOf(dataFolder: string): string {
  return join(dataFolder, "generations/0001");
}
