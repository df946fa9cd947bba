import type { Caller } from "../../../domain/caller.ts";
import { Failure, notFound } from "../../../domain/failure.ts";
import { type Page, type PageRequest, type Position, pageOfAll } from "../../../domain/page.ts";
import { requestPace } from "../../../domain/work-budget.ts";
import { isOid, type Repository, type TreeEntry } from "../../../git/index.ts";
import { trimCharacters } from "../../../lib/text/trim.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { defaultBranchOf, readRepository } from "./service-repository-access.ts";

export interface TreeRequest {
  readonly path?: string | undefined;
  readonly ref?: string | undefined;
  readonly recursive?: boolean | undefined;
}

/**
 * `GET /projects/:id/repository/tree`: trees before blobs, each in git's order. A keyset page begins behind the entry whose id the
 * token is. Where several entries have that id, the token says the tree and the place, and the next page goes on there,
 * whatever was committed meanwhile. Throws 400 for a token of no entry; 403; 404 `Tree Not Found` and for an unknown path.
 */
export function listTree(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  wanted: TreeRequest,
  request: PageRequest,
): Promise<Page<TreeEntry>> {
  return readRepository(context, caller, project, async (repository) => {
    const after = request.kind === "keyset" ? request.after : undefined;
    const isPlace = after !== undefined && after.id > 0;
    const root = isPlace ? String(after.key) : await rootAt(repository, project, wanted.ref);
    if (!isOid(root) || (isPlace && !(await repository.isTree(root)))) throw notFound("Tree");
    const all = await entriesAt(repository, root, wanted);
    if (request.kind === "offset") return pageOfAll(all, request);
    const start = after === undefined ? 0 : isPlace ? after.id : placeBehind(all, String(after.key));
    const end = start + request.perPage;
    const hasNext = end < all.length;
    const next = hasNext ? positionAt(all, end, root) : undefined;
    return { items: all.slice(start, end), total: undefined, hasNext, next };
  });
}

/** The whole list, without pages. Throws what `listTree` throws. */
export function listWholeTree(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  wanted: TreeRequest,
): Promise<readonly TreeEntry[]> {
  return readRepository(context, caller, project, async (repository) => {
    const root = await rootAt(repository, project, wanted.ref);
    if (!isOid(root)) throw notFound("Tree");
    return entriesAt(repository, root, wanted);
  });
}

async function entriesAt(
  repository: Repository,
  root: string,
  { path: given = "", recursive }: TreeRequest,
): Promise<TreeEntry[]> {
  const path = trimCharacters(given, "/");
  const entry = await treeAt(repository, root, path);
  if (entry === undefined) throw notFound("invalid revision or path");
  return entriesBelow(repository, entry, path === "" ? "" : `${path}/`, recursive === true);
}

function placeBehind(all: readonly TreeEntry[], oid: string): number {
  const place = all.findLastIndex((entry) => entry.oid === oid);
  if (place === -1) throw new Failure("parameters", { error: "page_token is invalid" });
  return place + 1;
}

/** The start of a page: behind the entry with an id, or, where others have the same, at its number in a tree. */
function positionAt(all: readonly TreeEntry[], place: number, root: string): Position {
  const { oid } = all[place - 1] as TreeEntry;
  const isOnly = all.every((entry, at) => at === place - 1 || entry.oid !== oid);
  return isOnly ? { key: oid, id: 0 } : { key: root, id: place };
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

/** Entries after which others may have their turn. */
const entriesPerLook = 256;

/** Trees before the rest, each in git's own order: sorting long paths would hold up others. */
async function entriesBelow(
  repository: Repository,
  root: string,
  prefix: string,
  isRecursive: boolean,
): Promise<TreeEntry[]> {
  const trees: TreeEntry[] = [];
  const others: TreeEntry[] = [];
  const pace = requestPace();
  let count = 0;
  const add = async (tree: string, before: string): Promise<void> => {
    for (const entry of await repository.tree(tree)) {
      const path = `${before}${entry.path}`;
      (entry.type === "tree" ? trees : others).push({ ...entry, path });
      if (isRecursive && entry.type === "tree") await add(entry.oid, `${path}/`);
      count += 1;
      if (count % entriesPerLook === 0) await pace();
    }
  };
  await add(root, prefix);
  return trees.concat(others);
}
