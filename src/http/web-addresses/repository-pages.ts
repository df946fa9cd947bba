import type { Reader, Target } from "./find-page.ts";

/** The most segments of a branch in an address: each costs a look. */
const refSegmentsMax = 8;

/** The page of the console for what is below a branch: a folder, a file, or the commits; undefined for other addresses. */
export async function findRepositoryPage(
  base: string,
  [kind, ...rest]: readonly string[],
  reader: Reader,
): Promise<Target | undefined> {
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

/** A name of a branch may have slashes: the first segments that name a commit are the branch. */
async function findRef(base: string, segments: readonly string[], reader: Reader) {
  for (let count = 1; count <= Math.min(segments.length, refSegmentsMax); count += 1) {
    const ref = segments.slice(0, count).join("/");
    if (await reader.exists(`${base}/repository/commits/${encodeURIComponent(ref)}`)) {
      return { ref, path: segments.slice(count).join("/") };
    }
  }
  return undefined;
}
