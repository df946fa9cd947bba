import type { Reader, Target } from "./find-page.ts";

/** The most segments of a branch name in an address. Each costs a lookup. */
const refSegmentsMax = 8;

/** Returns the console page of an address below a branch: a folder, a file, or the commits; undefined for others. */
export async function findRepositoryPage(
  base: string,
  [kind, ...rest]: readonly string[],
  reader: Reader,
): Promise<Target | undefined> {
  if (kind === "archive") return findArchive(base, rest, reader);
  if (kind !== "tree" && kind !== "blob" && kind !== "raw" && kind !== "commits") return undefined;
  const named = await findRef(base, rest, reader);
  if (named === undefined) return undefined;
  const { ref, path } = named;
  if (kind === "commits") return path === "" ? { page: `${base}/commits?${new URLSearchParams({ ref })}` } : undefined;
  if (kind === "tree") {
    const listed = await reader.exists(`${base}/repository/tree?${new URLSearchParams({ ref, path, per_page: "1" })}`);
    return listed
      ? { page: `${base}/files?${new URLSearchParams({ ref, ...(path === "" ? {} : { path }) })}` }
      : undefined;
  }
  const file = `${base}/repository/files/${encodeURIComponent(path)}`;
  const query = new URLSearchParams({ ref });
  if (path === "" || !(await reader.exists(`${file}/raw?${query}`))) return undefined;
  if (kind === "raw") return { file: `${file}/raw?${query}` };
  query.set("path", path.split("/").slice(0, -1).join("/"));
  query.set("file", path);
  return { page: `${base}/files?${query}` };
}

/** `TAG/PROJECT-TAG.tar.gz`: the last segment is what the archive is saved as. */
async function findArchive(base: string, segments: readonly string[], reader: Reader): Promise<Target | undefined> {
  const format = /\.(zip|tar\.gz|tar\.bz2|tar)$/.exec(segments.at(-1) ?? "")?.[1];
  const sha = segments.slice(0, -1).join("/");
  if (format === undefined || sha === "") return undefined;
  const isThere = await reader.exists(`${base}/repository/commits/${encodeURIComponent(sha)}`);
  return isThere ? { file: `${base}/repository/archive.${format}?${new URLSearchParams({ sha })}` } : undefined;
}

/** Returns the branch: the shortest start of the segments that names a commit. Branch names may have slashes. */
async function findRef(base: string, segments: readonly string[], reader: Reader) {
  for (let count = 1; count <= Math.min(segments.length, refSegmentsMax); count += 1) {
    const ref = segments.slice(0, count).join("/");
    if (await reader.exists(`${base}/repository/commits/${encodeURIComponent(ref)}`)) {
      return { ref, path: segments.slice(count).join("/") };
    }
  }
  return undefined;
}
