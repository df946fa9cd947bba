import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The most files to read: each has up to 1,024 users, and the user waits for the completion. */
const filesMax = 4;

/**
 * Returns usernames from the segment files of a data folder, without opening the store. They are only suggestions, since the
 * journal may have newer changes. Returns none when there is no store.
 */
export function savedUsernames(dataFolder: string): string[] {
  try {
    const folder = join(partsFolder(dataFolder), "documents/users");
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

/** Returns the same folder as `partsFolderOf`, without loading the modules that open stores. */
function partsFolder(dataFolder: string): string {
  const { generation } = JSON.parse(readFileSync(join(dataFolder, "manifest.json"), "utf8")) as { generation: string };
  return join(dataFolder, "generations", generation);
}
