/** The rules about names of branches and tags. */

import { invalid } from "../../../../domain/failure.ts";
import { isOid, isRefName } from "../../../../git/index.ts";

/**
 * Throws 400 for the name of a new branch or tag that git does not take, that reads like a commit, or in whose way others
 * are: `a` and `a/b` cannot both be.
 */
export function requireRefName(name: string, others: Iterable<string>, noun: "Branch" | "Tag"): void {
  if (!isRefName(name) || isOid(name)) throw invalid(noun === "Branch" ? "Branch name is invalid" : "Tag name invalid");
  for (const other of others) {
    if (other.startsWith(`${name}/`) || name.startsWith(`${other}/`)) {
      throw invalid(`${noun} name conflicts with the existing ${noun.toLowerCase()} ${other}`);
    }
  }
}

/**
 * A test for the names that a search is after: `^` stands for the beginning, `$` for the end, letter case does not matter.
 */
export function nameSearch(search: string | undefined): (name: string) => boolean {
  if (!search) return () => true;
  const isStart = search.startsWith("^");
  const isEnd = search.endsWith("$");
  const wanted = search.slice(isStart ? 1 : 0, isEnd ? -1 : undefined).toLowerCase();
  return (name) => {
    const plain = name.toLowerCase();
    if (isStart && isEnd) return plain === wanted;
    if (isStart) return plain.startsWith(wanted);
    return isEnd ? plain.endsWith(wanted) : plain.includes(wanted);
  };
}
