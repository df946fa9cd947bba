import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** Root's token from the file that the first start leaves in the data folder. */
export async function readRootToken(dataFolder: string): Promise<string> {
  const text = await readFile(join(dataFolder, "initial-root-credentials"), "utf8");
  const token = /^\s*token\W+(\S+)$/im.exec(text)?.[1];
  if (token === undefined) throw new Error("no token in the credentials file");
  return token;
}
