import type { Caller } from "../../../domain/caller.ts";
import { notFound } from "../../../domain/failure.ts";
import { type Page, type PageRequest, pageOfAll } from "../../../domain/page.ts";
import { isOid, type Repository, type TreeEntry } from "../../../git/index.ts";
import { trimCharacters } from "../../../lib/text/trim.ts";
import { paceOf } from "../../../lib/yield.ts";
import type { ProjectRecord } from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
import { defaultBranchOf, readRepository } from "./service-repository-access.ts";

export interface TreeRequest {
  readonly path?: string | undefined;
  readonly ref?: string | undefined;
  readonly recursive?: boolean | undefined;
}

/**
 * `GET /projects/:id/repository/tree`: trees before blobs, each in git's order. A keyset page goes on in the tree of the page before
 * it, whatever was committed meanwhile. Throws 403; 404 `Tree Not Found`.
 */
export function listTree(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  wanted: TreeRequest,
  request: PageRequest,
): Promise<Page<TreeEntry>> {
  return readRepository(context, caller, project, async (repository) => {
    const path = trimCharacters(wanted.path ?? "", "/");
    const after = request.kind === "keyset" ? request.after : undefined;
    const root = after === undefined ? await rootAt(repository, project, wanted.ref) : String(after.key);
    const isTree = after === undefined ? isOid(root) : isOid(root) && (await repository.isTree(root));
    const entry = isTree ? await treeAt(repository, root, path) : undefined;
    if (entry === undefined) throw notFound("Tree");
    const all = await entriesBelow(repository, entry, path === "" ? "" : `${path}/`, wanted.recursive === true);
    if (request.kind === "offset") return pageOfAll(all, request);
    const start = after?.id ?? 0;
    const end = start + request.perPage;
    const hasNext = end < all.length;
    return {
      items: all.slice(start, end),
      total: undefined,
      hasNext,
      next: hasNext ? { key: root, id: end } : undefined,
    };
  });
}

async function rootAt(repository: Repository, project: ProjectRecord, ref: string | undefined): Promise<string> {
  const revision = ref || (await defaultBranchOf(repository, project));
  const commit = revision === undefined ? undefined : await repository.resolve(revision);
  return commit?.tree ?? "";
}

/** The tree at a path; undefined when there is none, or something else. */
async function treeAt(repository: Repository, root: string, path: string): Promise<string | undefined> {
  const entry = await repository.entryAt(root, path);
  return entry?.type === "tree" ? entry.oid : undefined;
}

/** Trees before the rest, each in git's own order: sorting long paths would hold up others. */
async function entriesBelow(
  repository: Repository,
  root: string,
  prefix: string,
  isRecursive: boolean,
): Promise<TreeEntry[]> {
  const trees: TreeEntry[] = [];
  const others: TreeEntry[] = [];
  const pace = paceOf(() => false);
  const add = async (tree: string, before: string): Promise<void> => {
    for (const entry of await repository.tree(tree)) {
      const path = `${before}${entry.path}`;
      (entry.type === "tree" ? trees : others).push({ ...entry, path });
      if (isRecursive && entry.type === "tree") await add(entry.oid, `${path}/`);
    }
    const turn = pace();
    if (turn !== true) await turn;
  };
  await add(root, prefix);
  return trees.concat(others);
}
