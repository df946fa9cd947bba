import type { Dirent } from "node:fs";
import { readdir, readFile, rmdir, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { hasControlCharacter } from "../lib/text/text.ts";
import { codeOf, ifThere, makeDurableFolder, replaceSynced, syncFolder } from "./durable.ts";
import { type RefFiles, readIfThere } from "./ref-files.ts";

export const branchPrefix = "refs/heads/";
export const tagPrefix = "refs/tags/";

const oidPattern = /^[0-9a-f]{40}$/;

/** Whether a text is a whole object id. */
export function isOid(text: string): boolean {
  return oidPattern.test(text);
}

/** Parts of the name of a branch or tag: each is a folder on the disk, which lists of branches read. */
const partsMax = 64;

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
    const text = (await this.#files.read(`${this.#folder}/${ref}`))?.trim();
    if (text !== undefined) return isOid(text) ? text : undefined;
    return (await readPackedRefs(this.#folder)).get(ref);
  }

  /** Every branch and tag by its full name, in the order of names. */
  list(prefix: string): Promise<Map<string, string>> {
    return listRefs(this.#folder, prefix);
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
    await makeDurableFolder(dirname(`${this.#folder}/${ref}`));
    await this.#replace(ref, `${oid}\n`, "ref.tmp");
  }

  /** Packed first: what is loose wins, so the ref goes at the instant at which its file does, or was packed only. */
  delete(ref: string): Promise<void> {
    return this.#files.change(`${this.#folder}/${ref}`, () => deleteRef(this.#folder, ref));
  }

  #replace(name: string, text: string, temporary: string): Promise<void> {
    const path = `${this.#folder}/${name}`;
    return this.#files.change(path, () => replaceSynced(path, text, `${this.#folder}/${temporary}`));
  }
}

async function deleteRef(folder: string, ref: string): Promise<void> {
  if ((await readPackedRefs(folder)).has(ref)) await dropPackedRef(folder, ref);
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
  const text = await ifThere(readFile(`${folder}/HEAD`, "utf8"));
  return text === undefined ? undefined : /^ref: refs\/heads\/(.+)\n?$/.exec(text)?.[1];
}

/** Every branch and tag by its full name, in the order of names. */
export async function listRefs(folder: string, prefix: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const [ref, oid] of await readPackedRefs(folder)) if (ref.startsWith(prefix)) found.set(ref, oid);
  for (const ref of await looseRefs(folder, prefix)) {
    const oid = (await ifThere(readFile(`${folder}/${ref}`, "utf8")))?.trim();
    if (oid !== undefined && isOid(oid)) found.set(ref, oid);
  }
  return new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
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

async function dropPackedRef(folder: string, ref: string): Promise<void> {
  const lines = (await readFile(`${folder}/packed-refs`, "utf8")).split("\n");
  const at = lines.findIndex((line) => line.endsWith(` ${ref}`));
  // The line of a tag is followed by that of what the tag names.
  lines.splice(at, lines[at + 1]?.startsWith("^") === true ? 2 : 1);
  await replaceSynced(`${folder}/packed-refs`, lines.join("\n"), `${folder}/packed-refs.tmp`);
}

/** The refs that `git gc` has gathered into one file. */
async function readPackedRefs(folder: string): Promise<Map<string, string>> {
  const text = (await readIfThere(`${folder}/packed-refs`)) ?? "";
  return new Map([...text.matchAll(/^([0-9a-f]{40}) (refs\/\S+)$/gm)].map(([, oid, ref]) => [ref ?? "", oid ?? ""]));
}

async function looseRefs(folder: string, prefix: string): Promise<string[]> {
  const entries: Dirent[] = (await ifThere(readdir(`${folder}/${prefix}`, { withFileTypes: true }))) ?? [];
  const found: string[] = [];
  for (const entry of entries) {
    if (entry.isDirectory()) found.push(...(await looseRefs(folder, `${prefix}${entry.name}/`)));
    else if (!entry.name.endsWith(".lock")) found.push(`${prefix}${entry.name}`);
  }
  return found;
}
