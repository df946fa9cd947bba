import { join } from "node:path";

/**
 * Unpacks a store that an older format wrote and whose process was killed: segments and a journal over them. Returns its data
 * folder. The token of its root is `format-N-root-token-0123`.
 */
export async function unpackOldStore(format: 1 | 3, folder: string): Promise<string> {
  const name = `format-${format}`;
  const bytes = await Bun.file(join(import.meta.dir, `../../fixtures/stores/${name}.tar.gz`)).bytes();
  await new Bun.Archive(bytes).extract(folder);
  return join(folder, name);
}
