/** Objects in packs. Only the object that is asked for is read, and what it is made from. */

import { closeSync, read, readdirSync, readSync } from "node:fs";
import { promisify } from "node:util";
import { nextTurn, spend } from "../../domain/work-budget.ts";
import type { BoundedCache } from "../../lib/bounded-cache.ts";
import { openRegular } from "../../lib/regular-file.ts";
import { codeOf } from "../durable.ts";
import { BlobStream } from "./blob-stream.ts";
import type { ObjectCache } from "./cache.ts";
import { applyDelta } from "./delta.ts";
import type { FoundObject } from "./found.ts";
import { inflateExactly } from "./inflating.ts";
import { deflatedBytesMax, deltaChainBytesMax, deltaDepthMax, deltaPartBytesMax, ObjectTooLarge } from "./limits.ts";
import { type DeltaEntry, entryHeadBytes, type PackEntry, parseEntry, type WholeEntry } from "./pack-entry.ts";
import { PackIndex } from "./pack-index.ts";

const readLater = promisify(read);

/** Compressed bytes that are read on the event loop. */
const smallReadBytesMax = 64 << 10;
/** The steps of a delta that is found, of a few bytes that it makes, and the deltas after which others have their turn. */
const deltaSteps = 500;
const madeBytesPerStep = 32;
const deltasPerTurn = 16;
/** The steps of looking into the index of a pack, and the packs after which others have their turn. */
const packSteps = 100;
const packsPerTurn = 16;

/** An object of a pack that deltas are applied to. */
export interface DeltaBase {
  readonly type: WholeEntry["type"];
  readonly content: Buffer;
}

/** An object in a pack, from the deltas, the last one first, to what the first of them is applied to. */
interface Chain {
  readonly pack: string;
  readonly deltas: readonly DeltaEntry[];
  readonly base: WholeEntry | DeltaBase;
}

/** The packs of a repository. */
export class Packs {
  readonly #folder: string;
  readonly #bases: BoundedCache<DeltaBase>;
  readonly #indexes: BoundedCache<PackIndex>;
  /** The pack that had the last object: it is likely to have the next one. */
  #lastHit = "";

  /** `folder` has the packs. */
  constructor(folder: string, { deltaBases, packIndexes }: Pick<ObjectCache, "deltaBases" | "packIndexes">) {
    this.#folder = folder;
    this.#bases = deltaBases;
    this.#indexes = packIndexes;
  }

  /** undefined when no pack has the object. Throws `ObjectTooLarge`, and for a pack that is damaged. */
  async find(oid: string): Promise<FoundObject | undefined> {
    for (const [at, name] of this.#names().entries()) {
      spend(packSteps);
      if (at % packsPerTurn === packsPerTurn - 1) await nextTurn();
      const chain = await this.#inPack(`${this.#folder}/${name}`, oid);
      if (chain === undefined) continue;
      this.#lastHit = name;
      return this.#found(oid, chain);
    }
    return undefined;
  }

  /** Ids that begin with at least two hex digits, at most two of each pack. */
  twoWith(prefix: string): string[] {
    return this.#names().flatMap((name) => {
      using index = this.#openIndex(`${this.#folder}/${name}`);
      return index?.twoWith(prefix) ?? [];
    });
  }

  /** An index in memory is kept: the name of a pack is the hash of what it has. */
  #openIndex(pack: string): PackIndex | undefined {
    const known = this.#indexes.get(pack);
    if (known !== undefined) return known;
    const index = ifThereNow(() => PackIndex.open(`${pack}.idx`));
    if (index !== undefined && index.bytesInMemory > 0) this.#indexes.set(pack, index);
    return index;
  }

  /** Names of the packs without their ending. */
  #names(): string[] {
    const files = ifThereNow(() => readdirSync(this.#folder)) ?? [];
    const names = files.filter((name) => name.endsWith(".idx")).map((name) => name.slice(0, -".idx".length));
    return names.includes(this.#lastHit) ? [this.#lastHit, ...names.filter((name) => name !== this.#lastHit)] : names;
  }

  async #inPack(pack: string, oid: string): Promise<Chain | undefined> {
    using index = this.#openIndex(pack);
    const offset = index?.offsetOf(oid);
    if (index === undefined || offset === undefined) return undefined;
    const file = ifThereNow(() => openRegular(`${pack}.pack`));
    if (file === undefined) return undefined;
    try {
      return await this.#chain(pack, file, index, offset, oid);
    } finally {
      closeSync(file);
    }
  }

  async #chain(pack: string, file: number, index: PackIndex, offset: number, oid: string): Promise<Chain> {
    const deltas: DeltaEntry[] = [];
    for (let at = offset; ; ) {
      const base = this.#bases.get(`${pack} ${at}`) ?? entryAt(file, at);
      if (!isDelta(base)) return { pack, deltas, base };
      deltas.push(base);
      if (deltas.length > deltaDepthMax) {
        throw new ObjectTooLarge(`the object ${oid} is made from more than ${deltaDepthMax} deltas`);
      }
      spend(deltaSteps);
      if (deltas.length % deltasPerTurn === 0) await nextTurn();
      const next = typeof base.base === "number" ? base.base : index.offsetOf(base.base);
      if (next === undefined) throw new Error(`the object ${oid} is a delta of one in another pack`);
      at = next;
    }
  }

  #found(oid: string, chain: Chain): FoundObject {
    const { pack, deltas, base } = chain;
    const [last] = deltas;
    const roomBytes = last === undefined ? sizeOf(base) : roomOf(oid, chain);
    return {
      ...{ oid, type: base.type, size: last?.header.resultBytes ?? sizeOf(base) },
      ...{ roomBytes, isDelta: last !== undefined },
      read: () => this.#read(chain),
      async stream() {
        if (last !== undefined || "content" in base) return undefined;
        return BlobStream.open(`${pack}.pack`, { start: base.dataStart, contentStart: 0, size: base.size });
      },
    };
  }

  async #read({ pack, deltas, base }: Chain): Promise<Buffer> {
    const { type } = base;
    const file = openRegular(`${pack}.pack`);
    try {
      let content = "content" in base ? base.content : await unpacked(file, base);
      if (!("content" in base)) this.#keep(pack, base.offset, { type, content });
      for (const delta of deltas.toReversed()) {
        spend(delta.header.resultBytes / madeBytesPerStep);
        content = await applyDelta(content, await unpacked(file, delta));
        this.#keep(pack, delta.offset, { type, content });
      }
      return content;
    } finally {
      closeSync(file);
    }
  }

  /** The cache shares the bytes: callers must not change them. */
  #keep(pack: string, offset: number, base: DeltaBase): void {
    // Commits are hardly ever deltas, and would push out the trees.
    if (base.type === "tree") this.#bases.set(`${pack} ${offset}`, base);
  }
}

function isDelta(entry: PackEntry | DeltaBase): entry is DeltaEntry {
  return "header" in entry;
}

function sizeOf(base: WholeEntry | DeltaBase): number {
  return "content" in base ? base.content.length : base.size;
}

/** The bytes in memory while deltas are applied. Throws `ObjectTooLarge`, and for deltas that do not fit each other. */
function roomOf(oid: string, { deltas, base }: Chain): number {
  let [most, all] = [0, 0];
  for (const [at, { size, header }] of deltas.entries()) {
    if (header.baseBytes !== (deltas[at + 1]?.header.resultBytes ?? sizeOf(base))) {
      throw new Error(`the object ${oid} of a repository is damaged`);
    }
    const parts = [header.baseBytes, size, header.resultBytes];
    if (Math.max(...parts) > deltaPartBytesMax) {
      throw new ObjectTooLarge(`the object ${oid} is a delta of more than ${deltaPartBytesMax >> 20} MiB`);
    }
    all += header.resultBytes;
    most = Math.max(most, header.baseBytes + size + header.resultBytes);
  }
  if (all > deltaChainBytesMax) {
    throw new ObjectTooLarge(`the deltas of the object ${oid} make more than ${deltaChainBytesMax >> 20} MiB`);
  }
  return most;
}

function entryAt(file: number, offset: number): PackEntry {
  const head = Buffer.alloc(entryHeadBytes);
  return parseEntry(head.subarray(0, readSync(file, head, 0, head.length, offset)), offset);
}

/** The content of a whole entry, or a delta itself. */
async function unpacked(file: number, { dataStart, size }: PackEntry): Promise<Buffer> {
  const deflated = Buffer.allocUnsafe(deflatedBytesMax(size));
  const { length } = deflated;
  const bytesRead =
    length <= smallReadBytesMax
      ? readSync(file, deflated, 0, length, dataStart)
      : (await readLater(file, deflated, 0, length, dataStart)).bytesRead;
  return inflateExactly(deflated.subarray(0, bytesRead), size);
}

/** undefined for what another program has just removed. */
function ifThereNow<R>(work: () => R): R | undefined {
  try {
    return work();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
