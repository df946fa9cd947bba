/** The README of a project. */

import { ObjectTooLarge, type Repository } from "../../../git/index.ts";

/** The name of the README in the root of a tree; the plainest of several. undefined for a tree that is too large to be read. */
export async function findReadme(repository: Repository, tree: string): Promise<string | undefined> {
  const names: string[] = [];
  try {
    await repository.visitTree(tree, ({ type, path }) => {
      if (type === "blob" && /^readme(\.|$)/i.test(path)) names.push(path);
    });
  } catch (error) {
    if (!(error instanceof ObjectTooLarge)) throw error;
  }
  return names.find((name) => name === "README.md") ?? names[0];
}
