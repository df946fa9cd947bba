import type { Dirent } from "node:fs";
import { readdir, readFile, rmdir, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { noteWritten, spend } from "../domain/work-budget.ts";
import { hasControlCharacter } from "../lib/text/text.ts";
import { codeOf, ifThere, makeDurableFolder, replaceSynced, syncFolder } from "./durable.ts";
import type { PackedRefFiles } from "./packed-refs.ts";
import { RefFiles, readIfThere } from "./ref-files.ts";
import { RefList } from "./ref-list.ts";

export const branchPrefix = "refs/heads/";
export const tagPrefix = "refs/tags/";

const oidPattern = /^[0-9a-f]{40}$/;

/** Whether a text is a whole object id. */
export function isOid(text: string): boolean {
  return oidPattern.test(text);
}

/** The steps of a loose ref in a list, which is a file: a request may list 100,000 of them. */
const looseRefSteps = 300;

/** Parts of the name of a branch or tag: each is a folder on the disk, which lists of branches read. */
const partsMax = 16;
/** A new folder takes a block and an inode of the disk: the write quota counts it as so many bytes. */
const folderBytes = 4_096;

/** Whether git accepts the name of a branch or tag (git-check-ref-format), and the file system has room for it. */
export function isRefName(name: string): boolean {
  if (name === "" || name === "@" || name === "HEAD" || name.startsWith("-") || name.length > 1000) return false;
  if (hasControlCharacter(name) || /[ \u007f~^:?*[\\]|\.\.|@\{|\.$/.test(name)) return false;
  const parts = name.split("/");
  return (
    parts.length <= partsMax &&
    parts.every(
      (part) => part !== "" && !part.startsWith(".") && !part.endsWith(".lock") && Buffer.byteLength(part) <= 200,
    )
  );
}

/** Whether a text is the full name of a ref, `refs/heads/main`: no part of it leads elsewhere on the disk. */
export function isFullRefName(ref: string): boolean {
  const name = ref.startsWith("refs/") ? ref.slice("refs/".length) : "";
  return name.includes("/") && isRefName(name);
}

function requireFullRefName(ref: string): void {
  if (!isFullRefName(ref)) throw new Error(`${JSON.stringify(ref.slice(0, 80))} is no full name of a ref`);
}

/** The branches and tags of one repository, and its `HEAD`. `ref` is always the full name, `refs/heads/main`. */
export class Refs {
  readonly #folder: string;
  readonly #files: RefFiles;

  constructor(folder: string, files: RefFiles) {
    this.#folder = folder;
    this.#files = files;
  }

  /** The object that a ref names; undefined when there is no such ref. */
  async read(ref: string): Promise<string | undefined> {
    if (!isFullRefName(ref)) return undefined;
    const text = (await this.#files.read(`${this.#folder}/${ref}`))?.trim();
    if (text !== undefined) return isOid(text) ? text : undefined;
    return (await this.#files.packed.read(this.#folder)).get(ref);
  }

  /** The refs whose names begin with `prefix`, called without `omitted`. Throws `OverBudget`. */
  async list(prefix: string, omitted = ""): Promise<RefList> {
    // Packed first: a ref that git packs meanwhile is in one of the two.
    const packed = await this.#files.packed.read(this.#folder);
    return RefList.create(packed, await readLooseRefs(this.#folder, prefix), prefix, omitted);
  }

  /** The branch that `HEAD` names, whether there is one or not. */
  async head(): Promise<string | undefined> {
    const text = await this.#files.read(`${this.#folder}/HEAD`);
    return text === undefined ? undefined : /^ref: refs\/heads\/(.+)\n?$/.exec(text)?.[1];
  }

  setHead(branch: string): Promise<void> {
    return this.#replace("HEAD", `ref: ${branchPrefix}${branch}\n`, "HEAD.tmp");
  }

  /** The commit point of every change: the file is there whole, synced, and the ref is what it says. */
  async write(ref: string, oid: string): Promise<void> {
    requireFullRefName(ref);
    const folders = await makeDurableFolder(dirname(`${this.#folder}/${ref}`));
    noteWritten(folders * folderBytes);
    await this.#replace(ref, `${oid}\n`, "ref.tmp");
  }

  /** Packed first: what is loose wins, so the ref goes at the instant at which its file does, or was packed only. */
  async delete(ref: string): Promise<void> {
    requireFullRefName(ref);
    return this.#files.change(`${this.#folder}/${ref}`, () => deleteRef(this.#folder, ref, this.#files.packed));
  }

  #replace(name: string, text: string, temporary: string): Promise<void> {
    const path = `${this.#folder}/${name}`;
    return this.#files.change(path, () => replaceSynced(path, text, `${this.#folder}/${temporary}`));
  }
}

async function deleteRef(folder: string, ref: string, files: PackedRefFiles): Promise<void> {
  const packed = await files.read(folder);
  const index = packed.indexOf(ref);
  if (index !== undefined) {
    await replaceSynced(`${folder}/packed-refs`, packed.fileWithout(index), `${folder}/packed-refs.tmp`);
  }
  const path = `${folder}/${ref}`;
  try {
    await unlink(path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    return;
  }
  await syncFolder(dirname(path));
  await removeEmptyFolders(dirname(path), folder);
}

/** The branch that `HEAD` of a repository names, whether there is one or not. */
export async function readHead(folder: string): Promise<string | undefined> {
  const text = await readIfThere(`${folder}/HEAD`);
  return text === undefined ? undefined : /^ref: refs\/heads\/(.+)\n?$/.exec(text)?.[1];
}

/** Every branch and tag by its full name, in the order of the bytes of names. */
export async function listRefs(folder: string, prefix: string): Promise<Map<string, string>> {
  return new Map(await (await new Refs(folder, new RefFiles()).list(prefix)).filter(() => true));
}

/** The loose refs below a prefix, in no order. */
async function readLooseRefs(folder: string, prefix: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const ref of await looseRefs(folder, prefix)) {
    spend(looseRefSteps);
    const oid = (await ifThere(readFile(`${folder}/${ref}`, "utf8")))?.trim();
    if (oid !== undefined && isOid(oid)) found.set(ref, oid);
  }
  return found;
}

/** Folders of `a/b` must not be in the way of a later `a`. */
async function removeEmptyFolders(from: string, folder: string): Promise<void> {
  const roots = [`${folder}/refs/heads`, `${folder}/refs/tags`];
  for (let at = from; !roots.includes(at); at = dirname(at)) {
    try {
      await rmdir(at);
    } catch (error) {
      if (codeOf(error) === "ENOTEMPTY" || codeOf(error) === "EEXIST") return;
      throw error;
    }
  }
}

async function looseRefs(folder: string, prefix: string): Promise<string[]> {
  const entries: Dirent[] = (await ifThere(readdir(`${folder}/${prefix}`, { withFileTypes: true }))) ?? [];
  const found: string[] = [];
  for (const entry of entries) {
    if (entry.isDirectory()) found.push(...(await looseRefs(folder, `${prefix}${entry.name}/`)));
    else if (entry.isFile() && !entry.name.endsWith(".lock")) found.push(`${prefix}${entry.name}`);
  }
  return found;
}
