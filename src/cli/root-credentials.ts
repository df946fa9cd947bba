import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** Returns the path of root's credentials file. The first start writes it; the user may have deleted it since. */
export function credentialsFileOf(dataFolder: string): string {
  return join(dataFolder, "initial-root-credentials");
}

/** Returns root's token; undefined when the file is absent or unreadable. */
export async function readRootToken(dataFolder: string): Promise<string | undefined> {
  const text = await readFile(credentialsFileOf(dataFolder), "utf8").catch(() => "");
  return /^\s*token\W+(\S+)$/im.exec(text)?.[1];
}
