import { trimEndCharacters } from "../lib/text/trim.ts";
import type { TreeEntry } from "./objects/objects.ts";
import type { RepositoryWriter } from "./writer.ts";

/** The tree of files by their paths. All at once: what was only just written cannot be read yet. */
export async function writeFileTree(writer: RepositoryWriter, files: ReadonlyMap<string, TreeEntry>): Promise<string> {
  const here: TreeEntry[] = [];
  const folders = new Map<string, Map<string, TreeEntry>>();
  for (const [path, entry] of files) {
    const slash = path.indexOf("/");
    if (slash === -1) {
      here.push({ ...entry, path });
      continue;
    }
    const folder = path.slice(0, slash);
    const inside = folders.get(folder) ?? new Map<string, TreeEntry>();
    folders.set(folder, inside.set(path.slice(slash + 1), entry));
  }
  for (const [path, inside] of folders) {
    here.push({ mode: "040000", path, oid: await writeFileTree(writer, inside), type: "tree" });
  }
  return writer.writeTree(here);
}

/** Folders above a new file: each becomes a file on the disk with every change below it. */
const foldersMax = 64;

/** The problem with the path of a new file, as the end of a sentence about it; undefined if there is none. */
export function newPathProblem(path: string): string | undefined {
  if (!isFilePath(path)) return "should be a valid file path";
  return path.split("/").length > foldersMax + 1 ? `may have at most ${foldersMax} folders` : undefined;
}

/**
 * Whether git lets a file be at a path: no empty part, none that leads elsewhere, none that some file system would take
 * for git's own folder (git-fsck, `hasDotgit`), and no backslash, which is a separator on some: what is read of trees
 * refuses all of these.
 */
export function isFilePath(path: string): boolean {
  if (Buffer.byteLength(path) > 4000) return false;
  return path.split("/").every((part) => {
    if (part === "" || /[\0\\]/.test(part) || Buffer.byteLength(part) > 255) return false;
    // Windows and macOS ignore these characters of a name, so the check ignores them too.
    const visible = part.replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, "");
    if (visible === "." || visible === "..") return false;
    const plain = trimEndCharacters(visible.split(":", 1)[0] as string, " .").toLowerCase();
    return plain !== ".git" && !/^\.?git~[1-9]$/.test(plain);
  });
}
