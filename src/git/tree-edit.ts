import type { TreeEntry } from "./objects/objects.ts";
import type { NewTreeEntry } from "./objects/trees.ts";
import type { RepositoryWriter } from "./writer.ts";

/** The present entry at a path. A folder that was changed has no id yet. */
export interface FoundEntry {
  readonly type: TreeEntry["type"];
  readonly mode: string;
  readonly oid: string | undefined;
}

/** A folder: its stored tree, and what differs from that. */
class Folder {
  readonly stored: string | undefined;
  /** undefined: left out. */
  readonly changes = new Map<string, NewTreeEntry | Folder | undefined>();

  constructor(stored?: string) {
    this.stored = stored;
  }
}

/** The tree of a commit while it is changed, path by path. Folders are written once, at the end. */
export class TreeEdit {
  readonly #writer: RepositoryWriter;
  readonly #root: Folder;

  constructor(writer: RepositoryWriter, tree: string | undefined) {
    this.#writer = writer;
    this.#root = new Folder(tree);
  }

  /** undefined if there is nothing at the path. */
  async entryAt(path: string): Promise<FoundEntry | undefined> {
    let folder: Folder = this.#root;
    const names = path.split("/");
    for (const [at, name] of names.entries()) {
      if (!folder.changes.has(name)) {
        if (folder.stored === undefined) return undefined;
        return this.#writer.entryAt(folder.stored, names.slice(at).join("/"));
      }
      const found = folder.changes.get(name);
      if (found instanceof Folder) folder = found;
      else if (found === undefined || at < names.length - 1) return undefined;
      else return { type: typeOf(found), ...found };
    }
    return (await this.#isEmpty(folder)) ? undefined : { type: "tree", mode: "040000", oid: undefined };
  }

  /**
   * Puts an entry at a path; undefined removes what is there, and the folders that it leaves empty. Missing folders above it are
   * made. What is in the way is replaced, so the caller looks first.
   */
  async put(path: string, entry: NewTreeEntry | undefined): Promise<void> {
    const names = path.split("/");
    const last = names.pop() as string;
    let folder = this.#root;
    for (const name of names) {
      const next = await this.#folderIn(folder, name);
      folder.changes.set(name, next);
      folder = next;
    }
    folder.changes.set(last, entry);
  }

  /** Writes the folders that were changed, and returns the id of the whole tree. Throws `OverBudget`. */
  async write(): Promise<string> {
    return (await this.#write(this.#root)) ?? (await this.#writer.writeTree([]));
  }

  async #write({ stored, changes }: Folder): Promise<string | undefined> {
    if (changes.size === 0) return stored;
    const entries = new Map<string, NewTreeEntry | undefined>();
    for (const [name, entry] of changes) {
      const oid = entry instanceof Folder ? await this.#write(entry) : entry?.oid;
      const mode = entry instanceof Folder ? "040000" : entry?.mode;
      entries.set(name, oid === undefined || mode === undefined ? undefined : { mode, oid });
    }
    return this.#writer.changeTree(stored, entries);
  }

  async #folderIn({ stored, changes }: Folder, name: string): Promise<Folder> {
    if (changes.has(name)) {
      const found = changes.get(name);
      return found instanceof Folder ? found : new Folder();
    }
    const entry = stored === undefined ? undefined : await this.#writer.entryAt(stored, name);
    return new Folder(entry?.type === "tree" ? entry.oid : undefined);
  }

  async #isEmpty({ stored, changes }: Folder): Promise<boolean> {
    for (const entry of changes.values()) {
      if (entry instanceof Folder ? !(await this.#isEmpty(entry)) : entry !== undefined) return false;
    }
    if (stored === undefined) return true;
    let others = 0;
    await this.#writer.visitTree(stored, ({ path }) => {
      if (!changes.has(path)) others += 1;
    });
    return others === 0;
  }
}

function typeOf({ mode }: NewTreeEntry): TreeEntry["type"] {
  return mode === "040000" ? "tree" : mode === "160000" ? "commit" : "blob";
}
