/** The README of a project. */

import type { Repository } from "../../../git/index.ts";

/** The name of the README in the root of a tree; the plainest of several. */
export async function findReadme(repository: Repository, tree: string): Promise<string | undefined> {
  const entries = await repository.tree(tree);
  const names = entries
    .filter(({ type, path }) => type === "blob" && /^readme(\.|$)/i.test(path))
    .map(({ path }) => path);
  return names.find((name) => name === "README.md") ?? names[0];
}
