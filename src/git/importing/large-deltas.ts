/** Gives large files that a pack has as deltas files of their own, from which they are read in pieces. */

import * as fs from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { loadGit } from "../git.ts";
import { ObjectTooLarge, pieceWiseBytes } from "../objects/limits.ts";
import { type ObjectReader, packObject } from "../objects/objects.ts";
import { readerOf } from "./reachable.ts";
import { SourceError } from "./source.ts";

/** Throws `SourceError` for an object of another type that the server would not read. */
export async function unpackLargeDeltas(folder: string, oids: readonly string[]): Promise<void> {
  const objects = readerOf(folder);
  const cache = {};
  for (const oid of oids) {
    if (await isServed(objects, oid)) continue;
    const git = await loadGit();
    const { type, object } = await git.readObject({ fs, gitdir: folder, oid, cache, format: "content" });
    if (type !== "blob") {
      throw new SourceError(`the ${type} ${oid} has too large deltas`, "git repack -a -d -f --depth=50 in the source");
    }
    const { deflated } = await packObject("blob", object as Uint8Array);
    await mkdir(`${folder}/objects/${oid.slice(0, 2)}`, { recursive: true, mode: 0o700 });
    await writeFile(`${folder}/objects/${oid.slice(0, 2)}/${oid.slice(2)}`, deflated, { mode: 0o600 });
  }
}

async function isServed(objects: ObjectReader, oid: string): Promise<boolean> {
  try {
    const found = await objects.find(oid);
    return found?.isDelta !== true || found.type !== "blob" || found.size <= pieceWiseBytes;
  } catch (error) {
    if (error instanceof ObjectTooLarge) return false;
    throw error;
  }
}
