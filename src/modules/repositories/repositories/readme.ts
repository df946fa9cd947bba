/** The README of a project. */

import type { Repository } from "../../../git/index.ts";

/** The name of the README in the root of a tree; the plainest of several. */
export async function findReadme(repository: Repository, tree: string): Promise<string | undefined> {
  const names: string[] = [];
  await repository.visitTree(tree, ({ type, path }) => {
    if (type === "blob" && /^readme(\.|$)/i.test(path)) names.push(path);
  });
  return names.find((name) => name === "README.md") ?? names[0];
}
