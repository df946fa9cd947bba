import { readdirSync } from "node:fs";
import { codeOf } from "./durable.ts";

const packsMax = 20;
/** Packs with which a repository takes no more: each request reads the index of each. */
export const crowdedPacksMax = 500;
/** Loose objects in one of 256 folders: about seven thousand in all. */
const looseSampleMax = 27;

/** Whether a repository has so many packs or loose objects that joining them pays. */
export function isRepackDue(folder: string): boolean {
  return packsIn(folder) > packsMax || namesIn(`${folder}/objects/17`).length > looseSampleMax;
}

/** Whether a repository has so many packs that they are joined before it takes another one. */
export function isCrowded(folder: string): boolean {
  return packsIn(folder) >= crowdedPacksMax;
}

/** The number of packs that may be joined: git keeps those with a `.keep`. */
function packsIn(folder: string): number {
  const names = namesIn(`${folder}/objects/pack`);
  const countOf = (ending: string) => names.filter((name) => name.endsWith(ending)).length;
  return countOf(".idx") - countOf(".keep");
}

function namesIn(path: string): string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}
