/** The git repository, or the bundle, that an import reads. */

import { lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { isOid, listRefs } from "../refs.ts";

/** A reason why a source cannot be imported, and what helps. */
export class SourceError extends Error {
  override readonly name = "SourceError";
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

/** The files of a source. `refs` are full names with their objects. */
export interface ImportSource {
  readonly refs: ReadonlyMap<string, string>;
  /** The branch that `HEAD` names; undefined: it names none. */
  readonly head: string | undefined;
  /** Files that have a pack from `offset` to their end. */
  readonly packs: readonly { readonly file: string; readonly offset: number }[];
  /** The `objects` folder with loose objects; undefined for a bundle. */
  readonly objects: string | undefined;
}

/** Bytes in which the header of a bundle ends: it has a line for each ref. */
const bundleHeaderBytesMax = 64 << 20;
const bundleHint = "git bundle create project.bundle --all, and import that file";

/** Reads the refs of a folder with a repository, or of a bundle. Throws `SourceError`. */
export async function openSource(path: string): Promise<ImportSource> {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new SourceError(`${path} does not exist`, "the folder of a repository, or a bundle");
  if (found.isDirectory()) return openFolder(path);
  if (!found.isFile()) throw new SourceError(`${path} is no plain file`, bundleHint);
  return openBundle(path);
}

async function openFolder(path: string): Promise<ImportSource> {
  const folder = commonFolder(gitFolder(path));
  const objects = join(folder, "objects");
  const has = (name: string) => statSync(join(folder, name), { throwIfNoEntry: false }) !== undefined;
  if (!has("objects") || !has("HEAD"))
    throw new SourceError(`${path} is no git repository`, "git init, or another folder");
  if (has("shallow")) throw new SourceError(`${path} is a shallow clone`, `git -C ${path} fetch --unshallow`);
  if (has("objects/info/alternates")) {
    throw new SourceError(`${path} borrows objects from another repository`, `git -C ${path} repack -a -d`);
  }
  const config = settingsOf(has("config") ? readText(join(folder, "config")) : "");
  if ((config.get("objectformat") ?? "sha1") !== "sha1" || (config.get("refstorage") ?? "files") !== "files") {
    throw new SourceError(`${path} has SHA-256 objects or refs in tables`, bundleHint);
  }
  if (config.get("promisor") === "true") {
    throw new SourceError(`${path} is a partial clone`, `git -C ${path} fetch --refetch --no-filter`);
  }
  const [, head] = /^ref: refs\/heads\/(.+)\n?$/.exec(readText(join(folder, "HEAD"))) ?? [];
  const packFolder = join(objects, "pack");
  const packs = has("objects/pack") ? readdirSync(packFolder).filter((name) => name.endsWith(".pack")) : [];
  return {
    refs: await listRefs(folder, "refs/"),
    head,
    packs: packs.map((name) => ({ file: plainFile(join(packFolder, name)), offset: 0 })),
    objects,
  };
}

/** Throws `SourceError` for what is no file: reading a pipe would wait for a program that writes to it. */
function readText(path: string): string {
  if (!statSync(path).isFile()) throw new SourceError(`${path} is no plain file`, bundleHint);
  return readFileSync(path, "utf8");
}

/** Values of a git configuration by the last part of their names, in lower case. */
function settingsOf(text: string): ReadonlyMap<string, string> {
  const pairs = text.split("\n").map((line): [string, string] => {
    const [name = "", value = ""] = line.split("=", 2);
    return [name.trim().toLowerCase(), value.trim().toLowerCase()];
  });
  return new Map(pairs);
}

/** The folder with `objects` and `HEAD`: of a bare repository itself, else `.git` or what the file `.git` names. */
function gitFolder(path: string): string {
  const inside = join(path, ".git");
  const found = statSync(inside, { throwIfNoEntry: false });
  if (found === undefined) return path;
  if (found.isDirectory()) return inside;
  const [, named] = /^gitdir: (.+)\n?$/.exec(readText(inside)) ?? [];
  if (named === undefined) throw new SourceError(`${inside} names no repository`, "another folder");
  return isAbsolute(named) ? named : join(path, named);
}

/** The repository that a work tree of its own (`git worktree`) belongs to. */
function commonFolder(folder: string): string {
  const file = join(folder, "commondir");
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return folder;
  return join(folder, readText(file).trim());
}

/** Throws for a link: it could lead to a file of another kind. */
export function plainFile(path: string): string {
  if (!lstatSync(path).isFile()) throw new SourceError(`${path} is no plain file`, bundleHint);
  return path;
}

/** A bundle of git (gitformat-bundle), version 2 or 3. */
async function openBundle(path: string): Promise<ImportSource> {
  const header = await readBundleHeader(path);
  const [signature = "", ...lines] = header.split("\n");
  if (!/^# v[23] git bundle$/.test(signature)) throw new SourceError(`${path} is no git bundle`, bundleHint);
  const refs = new Map<string, string>();
  let headOid: string | undefined;
  for (const line of lines) {
    if (line.startsWith("-")) {
      throw new SourceError(`${path} is no whole history: it needs commit ${line.slice(1, 41)}`, bundleHint);
    }
    if (line.startsWith("@")) {
      if (line === "@object-format=sha1") continue;
      throw new SourceError(`${path} needs ${line.slice(1, 80)}, which is not supported`, bundleHint);
    }
    const [oid = "", name = ""] = line.split(" ", 2);
    if (!isOid(oid)) throw new SourceError(`${path} has a broken line of refs`, bundleHint);
    if (name === "HEAD") headOid = oid;
    else refs.set(name, oid);
  }
  return {
    refs,
    head: headBranch(refs, headOid),
    packs: [{ file: path, offset: header.length + 2 }],
    objects: undefined,
  };
}

/** The header without the empty line at its end, one character a byte. */
async function readBundleHeader(path: string): Promise<string> {
  const file = await open(path, "r");
  try {
    let text = "";
    const piece = Buffer.alloc(64 << 10);
    while (text.length < bundleHeaderBytesMax) {
      const { bytesRead } = await file.read(piece, 0, piece.length, text.length);
      if (bytesRead === 0) break;
      text += piece.toString("latin1", 0, bytesRead);
      const end = text.indexOf("\n\n", Math.max(0, text.length - bytesRead - 1));
      if (end !== -1) return text.slice(0, end);
      if (!"# v".startsWith(text.slice(0, 3))) break;
    }
    throw new SourceError(`${path} is no git bundle`, bundleHint);
  } finally {
    await file.close();
  }
}

/** A bundle says the commit of `HEAD`, not its branch. */
function headBranch(refs: ReadonlyMap<string, string>, oid: string | undefined): string | undefined {
  const branches = [...refs].filter(([name, at]) => name.startsWith("refs/heads/") && at === oid);
  const names = branches.map(([name]) => name.slice("refs/heads/".length));
  return names.find((name) => name === "main" || name === "master") ?? names[0];
}
