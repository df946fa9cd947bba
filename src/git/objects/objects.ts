import { readdir } from "node:fs/promises";
import { promisify } from "node:util";
import { deflate } from "node:zlib";
import { nextTurn, requestPace, spend } from "../../domain/work-budget.ts";
import type { BoundedCache } from "../../lib/bounded-cache.ts";
import { type Steps, takeSteps } from "../../lib/yield.ts";
import type { LineCounts } from "../diff/count-changes.ts";
import { codeOf, ifThere } from "../durable.ts";
import { isOid } from "../refs.ts";
import type { BlobStream } from "./blob-stream.ts";
import { cachedTreeBytesMax, type ObjectCache, smallBlobBytesMax, smallTreeBytesMax } from "./cache.ts";
import { type CommitContent, parseCommit, parseTag, type TagContent } from "./commits.ts";
import type { FoundObject } from "./found.ts";
import {
  deltaFileBytesMax,
  ObjectTooLarge,
  type ObjectType,
  pieceWiseBytes,
  requireFewParents,
  requireReadable,
} from "./limits.ts";
import { findLoose } from "./loose.ts";
import { Packs } from "./packs.ts";
import { changingTree, parsingTree, searchingTree, type TreeChanges } from "./trees.ts";
import type { TakeRoom } from "./unpacked-bytes.ts";

const deflateLater = promisify(deflate);

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
/** Bytes of a tree that take as long as one step to unpack and search. */
const treeBytesPerStep = 8;
/** An entry of forty bytes takes half a microsecond. */
const stepsPerParsedByte = 1;

/** The objects of one repository, to be read. Throws `ObjectTooLarge`, and for those that are damaged. */
export class ObjectReader {
  readonly folder: string;
  readonly #cached: ObjectCache;
  readonly #takeRoom: TakeRoom;
  readonly #packs: Packs;
  #lookUps = 0;

  constructor(folder: string, cache: ObjectCache, takeRoom: TakeRoom) {
    this.folder = folder;
    this.#cached = cache;
    this.#takeRoom = takeRoom;
    this.#packs = new Packs(`${folder}/objects/pack`, cache);
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
    requireFewParents(oid, read.parent);
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
    if (bytes.length > smallTreeBytesMax) return inTurns(searchingTree(bytes, name));
    return (await this.#parsedTree(oid, bytes)).find(({ path }) => path === name);
  }

  /** The bytes of a tree with some changes. Without a tree, of an empty one. */
  async changedTree(oid: string | undefined, changes: TreeChanges): Promise<Buffer> {
    const bytes = oid === undefined ? Buffer.alloc(0) : await this.#treeBytes(oid);
    return inTurns(changingTree(bytes, changes));
  }

  /** Throws `OverBudget`. */
  async #parsedTree(oid: string, bytes: Buffer): Promise<readonly TreeEntry[]> {
    spend(bytes.length * stepsPerParsedByte);
    const entries = await inTurns(parsingTree(bytes));
    if (bytes.length <= cachedTreeBytesMax) this.#cached.trees.set(`${this.folder} ${oid}`, entries);
    return entries;
  }

  /** Counts the work of a look-up before it. */
  #lookUp(): Promise<void> | undefined {
    spend(objectSteps);
    this.#lookUps += 1;
    return this.#lookUps % lookUpsPerTurn === 0 ? nextTurn() : undefined;
  }

  #cachedTree(oid: string): readonly TreeEntry[] | undefined {
    return this.#cached.trees.get(`${this.folder} ${oid}`);
  }

  /** Throws `OverBudget`, and for what is no tree. */
  async #treeBytes(oid: string): Promise<Buffer> {
    const found = await this.#get(oid, "tree");
    // Before it is unpacked.
    spend(found.size / treeBytesPerStep);
    return this.#read(found);
  }

  /** An object, wherever it is; undefined when there is none. Nothing of it is unpacked yet. */
  async find(oid: string): Promise<FoundObject | undefined> {
    return (await findLoose(this.#pathOf(oid), oid)) ?? (await this.#packs.find(oid));
  }

  /** Throws when there is no such object of this type. */
  async #get(oid: string, type: ObjectType): Promise<FoundObject> {
    const found = await this.find(oid);
    if (found?.type === type) return found;
    throw new Error(
      `the object ${oid} of a repository is ${found === undefined ? "gone" : `a ${found.type}, not a ${type}`}`,
    );
  }

  /** Throws `ObjectTooLarge`. */
  async #read(found: FoundObject): Promise<Buffer> {
    const { oid, type, size } = found;
    requireReadable(oid, type, size);
    try {
      return await found.read();
    } catch (error) {
      // Another git program has packed it meanwhile.
      if (codeOf(error) !== "ENOENT") throw error;
      return (await this.#get(oid, type)).read();
    }
  }

  /** undefined when the oid is not that of an annotated tag. Throws `OverBudget`. */
  async tag(oid: string): Promise<AnnotatedTag | undefined> {
    await this.#lookUp();
    const text = await this.#text(oid, "tag");
    spend(text?.length ?? 0);
    return text === undefined ? undefined : { ...parseTag(text), oid };
  }

  /** The cache of the commits that changed a path last. */
  get lastCommits(): BoundedCache<Commit> {
    return this.#cached.lastCommits;
  }

  /** The cache of the numbers of lines that commits change. */
  get lineCounts(): BoundedCache<LineCounts> {
    return this.#cached.lineCounts;
  }

  /** The bytes of files, in the same order, once there is room for all of them. Throws `ObjectTooLarge`. */
  async blobs(oids: readonly string[]): Promise<Uint8Array<ArrayBuffer>[]> {
    const blobs: (Uint8Array<ArrayBuffer> | FoundObject)[] = [];
    for (const oid of oids) blobs.push(this.#cachedBlob(oid) ?? (await this.#get(oid, "blob")));
    let bytes = 0;
    for (const each of blobs) {
      if (!(each instanceof Uint8Array)) requireReadable(each.oid, each.type, each.size);
      bytes += each instanceof Uint8Array ? each.length : each.roomBytes;
    }
    await this.#takeRoom(bytes);
    const whole: Uint8Array<ArrayBuffer>[] = [];
    for (const each of blobs) whole.push(each instanceof Uint8Array ? each : await this.#blob(each));
    return whole;
  }

  #cachedBlob(oid: string): Uint8Array<ArrayBuffer> | undefined {
    return this.#cached.blobs.get(`${this.folder} ${oid}`);
  }

  async #blob(found: FoundObject): Promise<Uint8Array<ArrayBuffer>> {
    const { buffer, byteOffset, byteLength } = await this.#read(found);
    const bytes = new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
    // A copy: the bytes may be a part of a much larger buffer.
    if (byteLength <= smallBlobBytesMax) this.#cached.blobs.set(`${this.folder} ${found.oid}`, bytes.slice());
    return bytes;
  }

  /** The bytes of a file, or of a large one a stream that its taker closes. Throws `ObjectTooLarge`. */
  async content(oid: string): Promise<Uint8Array<ArrayBuffer> | BlobStream> {
    const cached = this.#cachedBlob(oid);
    if (cached !== undefined) return cached;
    const found = await this.#get(oid, "blob");
    if (found.size > pieceWiseBytes) {
      const stream = await found.stream();
      if (stream !== undefined) return stream;
      if (found.size > deltaFileBytesMax) {
        throw new ObjectTooLarge(`the file has more than ${deltaFileBytesMax >> 20} MiB, and is a delta in its pack`);
      }
    }
    const [bytes] = await this.blobs([oid]);
    return bytes as Uint8Array<ArrayBuffer>;
  }

  async #stream(oid: string): Promise<BlobStream> {
    const stream = await (await this.#get(oid, "blob")).stream();
    if (stream === undefined) throw new Error(`the file ${oid} of a repository is gone`);
    return stream;
  }

  /** SHA-256 of a file, in hex. `bytes` are those of the file, where they are in memory. */
  async sha256(oid: string, bytes?: Uint8Array): Promise<string> {
    const cached = this.#cached.hashes.get(oid);
    if (cached !== undefined) return cached;
    const hasher = new Bun.CryptoHasher("sha256");
    const stream = bytes === undefined ? await this.#stream(oid) : undefined;
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

  /** Bytes of a file, without unpacking it. Throws for what is no file, and `ObjectTooLarge`. */
  async blobSize(oid: string): Promise<number> {
    return this.#cachedBlob(oid)?.length ?? (await this.#get(oid, "blob")).size;
  }

  /** Whether there is an object of this id, and it is a tree. */
  async isTree(oid: string): Promise<boolean> {
    return (await this.find(oid))?.type === "tree";
  }

  /** The text of a commit or a tag; undefined when there is no such object of this type. */
  async #text(oid: string, type: "commit" | "tag"): Promise<string | undefined> {
    const found = await this.find(oid);
    return found?.type === type ? (await this.#read(found)).toString() : undefined;
  }

  /** The whole oid of which this is the beginning, at least two digits; undefined when none or several begin so. */
  async expand(short: string): Promise<string | undefined> {
    if (isOid(short)) return short;
    const start = short.slice(0, 2);
    const names = (await ifThere(readdir(`${this.folder}/objects/${start}`))) ?? [];
    const loose = names.map((name) => `${start}${name}`).filter((oid) => isOid(oid) && oid.startsWith(short));
    const [found, other] = new Set([...loose, ...this.#packs.twoWith(short)]);
    return other === undefined ? found : undefined;
  }
}

function inTurns<R>(steps: Steps<R>): Promise<R> {
  return takeSteps(steps, requestPace());
}

/** An object as a loose one: hashed and deflated off the event loop. */
export async function packObject(
  type: "blob" | "tree",
  bytes: Uint8Array,
): Promise<{ readonly oid: string; readonly deflated: Uint8Array }> {
  const whole = Buffer.concat([Buffer.from(`${type} ${bytes.byteLength}\0`), bytes]);
  const [hash, deflated] = await Promise.all([crypto.subtle.digest("SHA-1", whole), deflateLater(whole)]);
  return { oid: Buffer.from(hash).toString("hex"), deflated };
}
