import * as fs from "node:fs";
import { open, readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { constants, deflate, inflate, type ZlibOptions } from "node:zlib";
import type { CommitObject, TagObject } from "isomorphic-git";
import { spend } from "../domain/work-budget.ts";
import { codeOf, ifThere } from "./durable.ts";
import { isNotFound, loadGit } from "./git.ts";
import { isOid } from "./refs.ts";

const deflateLater = promisify(deflate);
const inflateLater: (bytes: Uint8Array, options?: ZlibOptions) => Promise<Buffer> = promisify(inflate);

/** An entry of a tree, as git keeps it. */
export interface TreeEntry {
  /** `100644`, `100755`, `040000`, `120000` or `160000`. */
  readonly mode: string;
  readonly path: string;
  readonly oid: string;
  readonly type: "blob" | "tree" | "commit";
}

/** A commit as git keeps it; times in seconds. */
export interface Commit extends CommitObject {
  readonly oid: string;
}

/** An annotated tag. */
export interface AnnotatedTag extends TagObject {
  readonly oid: string;
}

/** The steps of a commit or tree that is looked up: a request may walk 150,000 of them. */
const objectSteps = 200;

/** The objects of one repository, to be read. Throws what the library throws for those that are not there or broken. */
export class ObjectReader {
  readonly folder: string;
  readonly #cached: ObjectCache;
  /** The library's cache of packs. */
  readonly #cache: object;

  constructor(folder: string, kept: ObjectCache) {
    this.folder = folder;
    this.#cached = kept;
    this.#cache = kept.packs(folder);
  }

  /** undefined when there is no such commit. Throws `OverBudget`. */
  async commit(oid: string): Promise<Commit | undefined> {
    spend(objectSteps);
    const key = `${this.folder} ${oid}`;
    const kept = this.#cached.commits.get(key);
    if (kept !== undefined) return kept;
    const git = await loadGit();
    try {
      const { commit, oid: found } = await git.readCommit({ fs, gitdir: this.folder, oid, cache: this.#cache });
      // The library follows annotated tags.
      if (found !== oid) return undefined;
      const read = { ...commit, oid };
      this.#cached.commits.set(key, read);
      return read;
    } catch (error) {
      if (isNotFound(error) || codeOf(error) === "ObjectTypeError") return undefined;
      throw error;
    }
  }

  /** Throws `OverBudget`. */
  async tree(oid: string): Promise<readonly TreeEntry[]> {
    spend(objectSteps);
    const key = `${this.folder} ${oid}`;
    const kept = this.#cached.trees.get(key);
    if (kept !== undefined) return kept;
    const git = await loadGit();
    const { tree } = await git.readTree({ fs, gitdir: this.folder, oid, cache: this.#cache });
    this.#cached.trees.set(key, tree);
    return tree;
  }

  /** undefined when the oid is not that of an annotated tag. */
  async tag(oid: string): Promise<AnnotatedTag | undefined> {
    const git = await loadGit();
    try {
      const { tag } = await git.readTag({ fs, gitdir: this.folder, oid, cache: this.#cache });
      return { ...tag, oid };
    } catch (error) {
      if (codeOf(error) === "ObjectTypeError") return undefined;
      throw error;
    }
  }

  /** The cache of the commits that changed a path last. */
  get lastCommits(): BoundedCache<Commit> {
    return this.#cached.lastCommits;
  }

  /** The bytes of a file. Large ones are unpacked off the event loop, which the library does not do. */
  async blob(oid: string): Promise<Uint8Array<ArrayBuffer>> {
    const loose = await ifThere(readFile(`${this.folder}/objects/${oid.slice(0, 2)}/${oid.slice(2)}`));
    if (loose !== undefined) {
      const whole = await inflateLater(loose);
      const start = whole.indexOf(0) + 1;
      return new Uint8Array(whole.buffer as ArrayBuffer, whole.byteOffset + start, whole.byteLength - start);
    }
    const git = await loadGit();
    const { blob } = await git.readBlob({ fs, gitdir: this.folder, oid, cache: this.#cache });
    return new Uint8Array(blob);
  }

  /** Bytes of a file, without unpacking it; undefined for one that is in a pack. */
  async blobSize(oid: string): Promise<number | undefined> {
    const head = await ifThere(readHead(`${this.folder}/objects/${oid.slice(0, 2)}/${oid.slice(2)}`));
    if (head === undefined) return undefined;
    const unpacked = await inflateLater(head, { finishFlush: constants.Z_SYNC_FLUSH });
    const size = /^blob (\d+)\0/.exec(unpacked.toString("latin1"))?.[1];
    return size === undefined ? undefined : Number(size);
  }

  /** The whole oid of which this is the beginning; undefined when none or several begin so. */
  async expand(short: string): Promise<string | undefined> {
    if (isOid(short)) return short;
    const git = await loadGit();
    try {
      return await git.expandOid({ fs, gitdir: this.folder, oid: short, cache: this.#cache });
    } catch (error) {
      if (isNotFound(error) || codeOf(error) === "AmbiguousError") return undefined;
      throw error;
    }
  }
}

/** Larger trees are read each time. */
const treeEntriesMax = 200;

/** The newest of many things that never change; the oldest go when there are more. */
export class BoundedCache<T> {
  readonly #values = new Map<string, T>();
  readonly #max: number;
  readonly #isKept: (value: T) => boolean;

  constructor(max: number, isKept: (value: T) => boolean) {
    this.#max = max;
    this.#isKept = isKept;
  }

  get(key: string): T | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: T): void {
    if (!this.#isKept(value)) return;
    if (this.#values.size >= this.#max) this.#values.delete(this.#values.keys().next().value as string);
    this.#values.set(key, value);
  }
}

/** Larger commits are read each time: 16,384 of them take 64 MiB at most. */
const messageLengthMax = 4_096;
const parentsMax = 16;

function isSmallCommit({ message, parent }: Commit): boolean {
  return message.length <= messageLengthMax && parent.length <= parentsMax;
}

/** Caches of the objects of all repositories, by the folder of the repository and the object's id. */
export class ObjectCache {
  readonly commits = new BoundedCache<Commit>(16_384, isSmallCommit);
  readonly trees = new BoundedCache<readonly TreeEntry[]>(4_096, (entries) => entries.length <= treeEntriesMax);
  /** The last commit that changed what lies at a path: folder, commit and path. */
  readonly lastCommits = new BoundedCache<Commit>(16_384, isSmallCommit);
  /** Packs are held whole by the library, so only those of few repositories are. */
  readonly #packs = new Map<string, object>();

  packs(folder: string): object {
    const kept = this.#packs.get(folder) ?? {};
    this.#packs.delete(folder);
    this.#packs.set(folder, kept);
    if (this.#packs.size > 4) this.#packs.delete(this.#packs.keys().next().value as string);
    return kept;
  }
}

/** Compressed bytes that hold the header of any object. */
const headBytes = 64;

async function readHead(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(headBytes), 0, headBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** A blob as a loose object: hashed and deflated off the event loop. */
export async function packBlob(bytes: Uint8Array): Promise<{ readonly oid: string; readonly deflated: Uint8Array }> {
  const whole = Buffer.concat([Buffer.from(`blob ${bytes.byteLength}\0`), bytes]);
  const [hash, deflated] = await Promise.all([crypto.subtle.digest("SHA-1", whole), deflateLater(whole)]);
  return { oid: Buffer.from(hash).toString("hex"), deflated };
}
