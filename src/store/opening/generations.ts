import { firstGeneration } from "../../domain/generation.ts";
import { type Disk, replaceFile } from "../disk.ts";

/** The file with the command that makes a generation, in its folder until it is in use. */
export const commandName = "command";

/** Made with a generation, but belongs beside all of them: the first sign-in of root. */
const filesOfDataFolder = ["initial-root-credentials"];

export function generationsFolderOf(folder: string): string {
  return `${folder}/generations`;
}

/** Folder of documents, logs, journal and blobs; without a generation, the data folder itself. */
export function partsFolderOf(folder: string, generation: string | undefined): string {
  return generation === undefined ? folder : `${generationsFolderOf(folder)}/${generation}`;
}

export function isGenerationName(name: string): boolean {
  return /^\d{4,9}$/.test(name);
}

/** Names of the generations beside the one in use; undefined: of all. */
export function otherGenerations(disk: Disk, folder: string, inUse: string | undefined): string[] {
  return disk.list(generationsFolderOf(folder)).filter((name) => isGenerationName(name) && name !== inUse);
}

/** A name that no generation has. Only first starts make the first one. */
export function nextGeneration(disk: Disk, folder: string): string {
  const numbers = otherGenerations(disk, folder, undefined).map(Number);
  return String(Math.max(Number(firstGeneration), ...numbers) + 1).padStart(firstGeneration.length, "0");
}

/** Makes the folder of a generation, or takes one that a killed process made: a power loss leaves it from now on. */
export function makeGenerationFolder(disk: Disk, folder: string, generation: string): void {
  disk.makeFolder(partsFolderOf(folder, generation));
  for (const path of [generationsFolderOf(folder), folder]) disk.syncFolder(path);
}

/** Records the command that makes a generation: an error about an unfinished one names it. */
export function noteCommand(disk: Disk, folder: string, generation: string, command: string): void {
  replaceFile(disk, partsFolderOf(folder, generation), commandName, new TextEncoder().encode(command));
}

/** The words of `noteCommand`; undefined for a generation whose maker was killed before. */
export function commandOf(disk: Disk, folder: string, generation: string): string | undefined {
  const path = `${partsFolderOf(folder, generation)}/${commandName}`;
  return disk.exists(path) ? new TextDecoder().decode(disk.read(path)) : undefined;
}

/** A generation takes the place of the one in use at this rename. Everything in its folder must be on the disk. */
export function switchTo(disk: Disk, folder: string, generation: string): void {
  const made = partsFolderOf(folder, generation);
  disk.rename(`${made}/manifest.json`, `${folder}/manifest.json`);
  disk.syncFolder(folder);
  disk.syncFolder(made);
  finishSwitch(disk, folder, generation);
}

/** Finishes a switch. May be cut off at any instant, and repeated. */
export function finishSwitch(disk: Disk, folder: string, generation: string): void {
  const made = partsFolderOf(folder, generation);
  for (const name of filesOfDataFolder) {
    const path = `${made}/${name}`;
    if (!disk.exists(path)) continue;
    replaceFile(disk, folder, name, disk.read(path));
    disk.remove(path);
    // Without that, it could come back after its owner deleted the other one.
    disk.syncFolder(made);
  }
  const command = `${made}/${commandName}`;
  if (disk.exists(command)) disk.remove(command);
}
