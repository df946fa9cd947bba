import { firstGeneration } from "../../domain/generation.ts";
import { type Disk, replaceFile } from "../disk.ts";

/** The file that names the command which is making a generation. It exists until the generation is in use. */
export const commandName = "command";

/** Files that are made with a generation but belong in the data folder: the first credentials of root. */
const filesOfDataFolder = ["initial-root-credentials"];

export function generationsFolderOf(folder: string): string {
  return `${folder}/generations`;
}

/** Returns the folder of documents, logs, journal and blobs; without a generation, the data folder itself. */
export function partsFolderOf(folder: string, generation: string | undefined): string {
  return generation === undefined ? folder : `${generationsFolderOf(folder)}/${generation}`;
}

export function isGenerationName(name: string): boolean {
  return /^\d{4,9}$/.test(name);
}

/** Returns the names of the generations other than the one in use; of all when `inUse` is undefined. */
export function otherGenerations(disk: Disk, folder: string, inUse: string | undefined): string[] {
  return disk.list(generationsFolderOf(folder)).filter((name) => isGenerationName(name) && name !== inUse);
}

/** Returns an unused generation name. Only a first start makes the first generation. */
export function nextGeneration(disk: Disk, folder: string): string {
  const numbers = otherGenerations(disk, folder, undefined).map(Number);
  return String(Math.max(Number(firstGeneration), ...numbers) + 1).padStart(firstGeneration.length, "0");
}

/** Makes the folder of a generation durably, or reuses that of a killed process. */
export function makeGenerationFolder(disk: Disk, folder: string, generation: string): void {
  disk.makeFolder(partsFolderOf(folder, generation));
  for (const path of [generationsFolderOf(folder), folder]) disk.syncFolder(path);
}

/** Records the command that makes a generation, for the error about an unfinished one. */
export function noteCommand(disk: Disk, folder: string, generation: string, command: string): void {
  replaceFile(disk, partsFolderOf(folder, generation), commandName, new TextEncoder().encode(command));
}

/** Returns the command recorded by `noteCommand`; undefined when its process was killed before. */
export function commandOf(disk: Disk, folder: string, generation: string): string | undefined {
  const path = `${partsFolderOf(folder, generation)}/${commandName}`;
  return disk.exists(path) ? new TextDecoder().decode(disk.read(path)) : undefined;
}

/** Switches to a generation, by one rename. Everything in its folder must be on the disk. */
export function switchTo(disk: Disk, folder: string, generation: string): void {
  const made = partsFolderOf(folder, generation);
  disk.rename(`${made}/manifest.json`, `${folder}/manifest.json`);
  disk.syncFolder(folder);
  disk.syncFolder(made);
  finishSwitch(disk, folder, generation);
}

/** Finishes a switch. May be interrupted and repeated. */
export function finishSwitch(disk: Disk, folder: string, generation: string): void {
  const made = partsFolderOf(folder, generation);
  for (const name of filesOfDataFolder) {
    const path = `${made}/${name}`;
    if (!disk.exists(path)) continue;
    replaceFile(disk, folder, name, disk.read(path));
    disk.remove(path);
    // Without the sync, the file could reappear after the user deleted the other one.
    disk.syncFolder(made);
  }
  const command = `${made}/${commandName}`;
  if (disk.exists(command)) disk.remove(command);
}
