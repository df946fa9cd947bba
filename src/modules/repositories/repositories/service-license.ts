import type { Caller } from "../../../domain/caller.ts";
import type { Repository, TreeEntry } from "../../../git/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { commitAt } from "./files/service-read.ts";
import { readRepository } from "./service-repository-access.ts";

/** The file of a repository that has its license. */
export interface LicenseFile {
  readonly path: string;
  /** The beginning, as far as licenses are told apart by it; blank for a file that is larger than any license. */
  readonly text: string;
}

/** Names of files with a license, the plainest first. */
const fileNames = [
  /^licen[cs]e$/i,
  /^licen[cs]e\.(md|txt|rst)$/i,
  /^copying(\.(md|txt))?$/i,
  /^unlicense$/i,
  /^licen[cs]e-/i,
];
/** The largest file that is read, in bytes; the longest of the known licenses has 35 KB. */
const bytesMax = 131_072;

/** The license file in the root of the default branch; undefined without one. Throws 403. */
export function findLicenseFile(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
): Promise<LicenseFile | undefined> {
  return readRepository(context, caller, project, async (repository) => {
    const commit = await commitAt(repository, project, undefined);
    const found = commit === undefined ? undefined : await plainestIn(repository, commit.tree);
    if (found === undefined) return undefined;
    if ((await repository.blobSize(found.oid)) > bytesMax) return { path: found.path, text: "" };
    const [bytes] = await repository.blobs([found.oid]);
    return { path: found.path, text: new TextDecoder().decode(bytes) };
  });
}

/** The first file of a tree with the plainest name. */
async function plainestIn(repository: Repository, tree: string): Promise<TreeEntry | undefined> {
  let found: TreeEntry | undefined;
  let plainest = fileNames.length;
  await repository.visitTree(tree, (entry) => {
    const place = entry.type === "blob" ? fileNames.findIndex((name) => name.test(entry.path)) : -1;
    if (place === -1 || place >= plainest) return;
    [found, plainest] = [entry, place];
  });
  return found;
}
