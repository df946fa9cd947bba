import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** The file of root's credentials, written by the first start; its owner may have deleted it since. */
export function credentialsFileOf(dataFolder: string): string {
  return join(dataFolder, "initial-root-credentials");
}

/** Root's token, as long as that file is there and may be read. */
export async function readRootToken(dataFolder: string): Promise<string | undefined> {
  const text = await readFile(credentialsFileOf(dataFolder), "utf8").catch(() => "");
  return /^\s*token\W+(\S+)$/im.exec(text)?.[1];
}
