/** Joins the small packs and the loose objects of a repository into one pack. It runs in a thread of its own. */

import { closeSync, existsSync, openSync, readdirSync, writeSync } from "node:fs";
import { basename } from "node:path";
import { loosePath } from "../packing/large-objects.ts";
import { ObjectStore } from "../packing/object-store.ts";
import { OidTable, oidOf } from "../packing/oid-table.ts";
import type { PackFile } from "../packing/pack-file.ts";
import { type IndexedPack, PackIndexer } from "../packing/pack-indexer.ts";
import { PackWriter } from "../packing/pack-writer.ts";

/** A pack is left alone when it is this many times as large as all smaller ones together: so an object is copied few times. */
const growth = 2;

export interface RepackOrder {
  readonly folder: string;
  /** The path of the new pack without its ending. */
  readonly pack: string;
}

export interface Repacked {
  /** undefined: there was nothing to join. */
  readonly pack: IndexedPack | undefined;
  /** Files, by their paths in the repository, whose objects are in the new pack or in one that stays. */
  readonly replaced: readonly string[];
}

export async function repack({ folder, pack }: RepackOrder): Promise<Repacked> {
  using store = new ObjectStore(folder);
  const joined = packsToJoin(store.packs);
  const kept = store.packs.filter((each) => !joined.includes(each));
  const objects = new OidTable();
  const add = (oid: Uint8Array) => {
    if (!kept.some((each) => each.find(oid) !== undefined)) objects.add(oid);
  };
  for (const each of joined) for (let number = 0; number < each.count; number += 1) add(each.oid(number));
  const loose = looseObjects(folder);
  for (const oid of loose) add(oidOf(oid));
  if (joined.length < 2 && loose.length === 0) return { pack: undefined, replaced: [] };
  const indexed = objects.size === 0 ? undefined : await writePack(store, objects, pack);
  const names = joined.map(({ path }) => basename(path)).filter((name) => name !== `pack-${indexed?.name}`);
  const files = names.flatMap((name) =>
    ["idx", "rev", "bitmap", "pack"].map((ending) => `objects/pack/${name}.${ending}`),
  );
  const ownFiles = new Set(indexed?.ownFiles);
  const isReplaced = (oid: string) => !ownFiles.has(loosePath(oidOf(oid))) && !isDeltaIn(kept, store, oidOf(oid));
  const looseFiles = loose.filter(isReplaced).map((oid) => `objects/${loosePath(oidOf(oid))}`);
  return { pack: indexed, replaced: [...files.filter((file) => existsSync(`${folder}/${file}`)), ...looseFiles] };
}

/** The smallest packs, up to the last that is not much larger than all before it. git keeps packs with a `.keep`. */
function packsToJoin(packs: readonly PackFile[]): PackFile[] {
  const free = packs.filter(({ path }) => !existsSync(`${path}.keep`)).sort((one, other) => one.size - other.size);
  let sum = 0;
  let end = 0;
  for (const [at, { size }] of free.entries()) {
    if (at > 0 && size < growth * sum) end = at + 1;
    sum += size;
  }
  return free.slice(0, end);
}

/** An object that is a delta in a pack, and a file too, may be one that is not read from the pack. */
function isDeltaIn(packs: readonly PackFile[], store: ObjectStore, oid: Uint8Array): boolean {
  for (const pack of packs) {
    const number = pack.find(oid);
    if (number !== undefined) return store.isDelta({ pack, offset: pack.offset(number) });
  }
  return false;
}

function looseObjects(folder: string): string[] {
  const found: string[] = [];
  for (const start of readdirSync(`${folder}/objects`).filter((name) => /^[0-9a-f]{2}$/.test(name))) {
    for (const rest of readdirSync(`${folder}/objects/${start}`)) {
      if (/^[0-9a-f]{38}$/.test(rest)) found.push(`${start}${rest}`);
    }
  }
  return found;
}

/** Each object is hashed once more on the way: a pack with a damaged one is not made. */
async function writePack(store: ObjectStore, objects: OidTable, path: string): Promise<IndexedPack> {
  const file = openSync(`${path}.pack`, "wx", 0o600);
  try {
    for await (const piece of new PackWriter(store, objects, { hasOffsetDeltas: true }).pieces()) {
      for (let at = 0; at < piece.length; ) at += writeSync(file, piece, at);
    }
  } finally {
    closeSync(file);
  }
  const indexer = new PackIndexer(path, store, undefined);
  try {
    return await indexer.index();
  } finally {
    indexer.close();
  }
}
