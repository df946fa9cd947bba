import * as fs from "node:fs";
import { open, readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { constants, deflate, inflate, type ZlibOptions } from "node:zlib";
import { spend } from "../../domain/work-budget.ts";
import { yieldToOthers } from "../../lib/yield.ts";
import { codeOf, ifThere } from "../durable.ts";
import { isNotFound, loadGit } from "../git.ts";
import { isOid } from "../refs.ts";
import { BlobStream } from "./blob-stream.ts";
import { type BoundedCache, type ObjectCache, smallBlobBytesMax, smallTreeBytesMax } from "./cache.ts";
import { type CommitContent, parseCommit, parseTag, type TagContent } from "./commits.ts";
import { treeEntries, treeEntryNamed } from "./trees.ts";
import type { TakeRoom } from "./unpacked-bytes.ts";

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

export interface Commit extends CommitContent {
  readonly oid: string;
}

/** An annotated tag. */
export interface AnnotatedTag extends TagContent {
  readonly oid: string;
}

/** The steps of a commit or tree that is looked up: a request may walk 60,000 of them. */
const objectSteps = 500;
/** Look-ups after which others have their turn: what is cached is found without one. */
const lookUpsPerTurn = 1_000;
/** The unpacked bytes that come in one piece, where the size of the object is not known. */
const chunkBytes = 16_384;
/** A larger file may unpack to a megabyte and more, so its header is read first. */
const smallDeflatedBytesMax = 1_024;
/** Bytes of a tree that take as long as one step to unpack and search. */
const treeBytesPerStep = 8;
/** An entry of forty bytes takes half a microsecond. */
const stepsPerParsedByte = 1;

/** The beginning of an object, if it is one. */
interface ObjectHeader {
  readonly type?: string;
  readonly size?: number;
}

interface LooseObject {
  readonly type: string;
  readonly content: Buffer;
}

/** The objects of one repository, to be read. Throws what the library throws for those that are not there or broken. */
export class ObjectReader {
  readonly folder: string;
  readonly #cached: ObjectCache;
  readonly #takeRoom: TakeRoom;
  /** The library's cache of packs. */
  readonly #cache: object;
  #lookUps = 0;

  constructor(folder: string, cache: ObjectCache, takeRoom: TakeRoom) {
    this.folder = folder;
    this.#cached = cache;
    this.#takeRoom = takeRoom;
    this.#cache = cache.packs(folder);
  }

  /** undefined when there is no such commit. Throws `OverBudget`. */
  async commit(oid: string): Promise<Commit | undefined> {
    await this.#lookUp();
    const key = `${this.folder} ${oid}`;
    const cached = this.#cached.commits.get(key);
    if (cached !== undefined) return cached;
    const text = await this.#text(oid, "commit");
    if (text === undefined) return undefined;
    spend(text.length);
    const read = { ...parseCommit(text), oid };
    this.#cached.commits.set(key, read);
    return read;
  }

  /** Throws `OverBudget`. */
  async tree(oid: string): Promise<readonly TreeEntry[]> {
    await this.#lookUp();
    return this.#cachedTree(oid) ?? this.#parsedTree(oid, await this.#treeBytes(oid));
  }

  /** The entry of a tree with a name. A large tree is searched, not parsed: history walks ask for one name in many trees. */
  async treeEntry(oid: string, name: string): Promise<TreeEntry | undefined> {
    await this.#lookUp();
    const cached = this.#cachedTree(oid);
    if (cached !== undefined) return cached.find(({ path }) => path === name);
    const bytes = await this.#treeBytes(oid);
    if (bytes.length > smallTreeBytesMax) return treeEntryNamed(bytes, name);
    return this.#parsedTree(oid, bytes).find(({ path }) => path === name);
  }

  /** Throws `OverBudget`. */
  #parsedTree(oid: string, bytes: Buffer): readonly TreeEntry[] {
    spend(bytes.length * stepsPerParsedByte);
    const entries = treeEntries(bytes);
    this.#cached.trees.set(`${this.folder} ${oid}`, entries);
    return entries;
  }

  /** Counts the work of a look-up before it. */
  #lookUp(): Promise<void> | undefined {
    spend(objectSteps);
    this.#lookUps += 1;
    return this.#lookUps % lookUpsPerTurn === 0 ? yieldToOthers() : undefined;
  }

  #cachedTree(oid: string): readonly TreeEntry[] | undefined {
    return this.#cached.trees.get(`${this.folder} ${oid}`);
  }

  /** Throws `OverBudget`, and what the library throws for what is no tree. */
  async #treeBytes(oid: string): Promise<Buffer> {
    const loose = await this.#loose(oid, "tree");
    const bytes = loose?.type === "tree" ? loose.content : await this.#packed(oid, "tree");
    spend(bytes.length / treeBytesPerStep);
    return bytes;
  }

  /**
   * A loose object; undefined when there is none. Unpacked off the event loop, unlike by the library; the content of a large object
   * of another type is left out.
   */
  async #loose(oid: string, wanted: string): Promise<LooseObject | undefined> {
    const deflated = await ifThere(readFile(this.#pathOf(oid)));
    if (deflated === undefined) return undefined;
    const { type = wanted, size = 0 } = deflated.length > smallDeflatedBytesMax ? await headerOf(deflated) : {};
    if (type !== wanted) return { type, content: Buffer.alloc(0) };
    const whole = await inflateLater(deflated, { chunkSize: Math.max(chunkBytes, size + headBytes) });
    return { type: whole.toString("latin1", 0, whole.indexOf(" ")), content: whole.subarray(whole.indexOf(0) + 1) };
  }

  /** The content of an object, wherever it is. Throws for an object of another type. */
  async #packed(oid: string, type: "blob" | "tree"): Promise<Buffer> {
    const git = await loadGit();
    const options = { fs, gitdir: this.folder, oid, cache: this.#cache, format: "content" } as const;
    const { object, type: found } = await git.readObject(options);
    if (found !== type) throw new Error(`the object ${oid} of a repository is a ${found}, not a ${type}`);
    const { buffer, byteOffset, byteLength } = object as Uint8Array;
    return Buffer.from(buffer, byteOffset, byteLength);
  }

  /** undefined when the oid is not that of an annotated tag. */
  async tag(oid: string): Promise<AnnotatedTag | undefined> {
    const text = await this.#text(oid, "tag");
    return text === undefined ? undefined : { ...parseTag(text), oid };
  }

  /** The cache of the commits that changed a path last. */
  get lastCommits(): BoundedCache<Commit> {
    return this.#cached.lastCommits;
  }

  /** The bytes of files, in the same order, once there is room for all of them. */
  async blobs(oids: readonly string[]): Promise<Uint8Array<ArrayBuffer>[]> {
    let bytes = 0;
    for (const oid of oids) bytes += (await this.blobSize(oid)) ?? 0;
    await this.#takeRoom(bytes);
    const blobs: Uint8Array<ArrayBuffer>[] = [];
    for (const oid of oids) blobs.push(await this.#blob(oid));
    return blobs;
  }

  async #blob(oid: string): Promise<Uint8Array<ArrayBuffer>> {
    const key = `${this.folder} ${oid}`;
    const cached = this.#cached.blobs.get(key);
    if (cached !== undefined) return cached;
    const loose = await this.#loose(oid, "blob");
    const { buffer, byteOffset, byteLength } = loose?.type === "blob" ? loose.content : await this.#packed(oid, "blob");
    const bytes = new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
    // A copy: the bytes may be a part of a much larger buffer.
    if (byteLength <= smallBlobBytesMax) this.#cached.blobs.set(key, bytes.slice());
    return bytes;
  }

  /** A file in pieces; undefined for one that is in a pack. */
  blobStream(oid: string): Promise<BlobStream | undefined> {
    return BlobStream.open(this.#pathOf(oid));
  }

  /** SHA-256 of a file, in hex. `bytes` are those of the file, where they are in memory. */
  async sha256(oid: string, bytes?: Uint8Array): Promise<string> {
    const cached = this.#cached.hashes.get(oid);
    if (cached !== undefined) return cached;
    const hasher = new Bun.CryptoHasher("sha256");
    const stream = bytes === undefined ? await this.blobStream(oid) : undefined;
    if (bytes === undefined && stream === undefined) throw new Error(`the file ${oid} of a repository is gone`);
    for (let piece = bytes ?? (await stream?.next()); piece !== undefined; piece = await stream?.next()) {
      hasher.update(piece);
    }
    const hash = hasher.digest("hex");
    this.#cached.hashes.set(oid, hash);
    return hash;
  }

  #pathOf(oid: string): string {
    return `${this.folder}/objects/${oid.slice(0, 2)}/${oid.slice(2)}`;
  }

  /** Bytes of a file, without unpacking it; undefined for one that is in a pack. */
  async blobSize(oid: string): Promise<number | undefined> {
    const cached = this.#cached.blobs.get(`${this.folder} ${oid}`);
    if (cached !== undefined) return cached.length;
    const header = await this.#header(oid);
    return header?.type === "blob" ? header.size : undefined;
  }

  /** Whether there is an object of this id, and it is a tree. */
  async isTree(oid: string): Promise<boolean> {
    const header = await this.#header(oid);
    return (header ?? (await this.#inPacks(oid)))?.type === "tree";
  }

  /** The text of a commit or a tag; undefined when there is no such object of this type. */
  async #text(oid: string, type: "commit" | "tag"): Promise<string | undefined> {
    const loose = await this.#loose(oid, type);
    if (loose !== undefined) return loose.type === type ? loose.content.toString() : undefined;
    const packed = await this.#inPacks(oid);
    return packed?.type === type ? Buffer.from(packed.object as Uint8Array).toString() : undefined;
  }

  /** The library looks for an object in all files; undefined when there is none. */
  async #inPacks(oid: string) {
    const git = await loadGit();
    try {
      return await git.readObject({ fs, gitdir: this.folder, oid, cache: this.#cache, format: "content" });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async #header(oid: string): Promise<ObjectHeader | undefined> {
    const head = await ifThere(readHead(this.#pathOf(oid)));
    return head === undefined ? undefined : headerOf(head);
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

/** Compressed bytes that hold the header of any object. */
const headBytes = 64;

/** Reads the header from the first compressed bytes of an object. */
async function headerOf(deflated: Uint8Array): Promise<ObjectHeader> {
  const unpacked = await inflateLater(deflated.subarray(0, headBytes), { finishFlush: constants.Z_SYNC_FLUSH });
  const [, type, size] = /^(\w+) (\d+)\0/.exec(unpacked.toString("latin1")) ?? [];
  return type === undefined ? {} : { type, size: Number(size) };
}

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
