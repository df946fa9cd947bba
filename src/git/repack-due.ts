import { readdirSync } from "node:fs";
import { codeOf } from "./durable.ts";

const packsMax = 20;
/** Loose objects in one of 256 folders: about seven thousand in all. */
const looseSampleMax = 27;

/** Whether a repository has so many packs or loose objects that joining them pays. */
export function isRepackDue(folder: string): boolean {
  return (
    namesIn(`${folder}/objects/pack`).filter((name) => name.endsWith(".idx")).length > packsMax ||
    namesIn(`${folder}/objects/17`).length > looseSampleMax
  );
}

function namesIn(path: string): string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}
