import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Files that are read at most: there are up to 1,024 users in each, and a person waits for the completion. */
const filesMax = 4;

/**
 * Names of users as the files of a data folder have them, without opening the store: for suggestions only, since the
 * journal may know better. None where there is no store.
 */
export function savedUsernames(dataFolder: string): string[] {
  try {
    const folder = join(partsOf(dataFolder), "documents/users");
    const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
    const texts = files
      .sort()
      .slice(0, filesMax)
      .map((name) => readFileSync(join(folder, name), "utf8"));
    return texts.flatMap((text) => [...text.matchAll(/"username":"([\w.-]+)"/g)].map(([, name = ""]) => name)).sort();
  } catch {
    return [];
  }
}

/** As `partsFolderOf`, without the modules that open stores: a person waits for the completion. */
function partsOf(dataFolder: string): string {
  const { generation } = JSON.parse(readFileSync(join(dataFolder, "manifest.json"), "utf8")) as { generation: string };
  return join(dataFolder, "generations", generation);
}
