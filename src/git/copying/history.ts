import type { Dirent } from "node:fs";
import { copyFile, link, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { codeOf, exists, ifThere, makeDurableFolder, syncFolder } from "../durable.ts";
import type { StorageFolders } from "../storages.ts";

/** Folder of the earlier states of repositories, in the folder of their storage. */
const historyName = "@checkpoints";
/** Stands for a repository that had no files. */
const absentSuffix = ".absent";

/**
 * Repositories as they were at checkpoints of the store: the first change of a repository after a checkpoint keeps its
 * state, under the id of the checkpoint. Objects are shared by a second name of their files, since no file of an object
 * ever changes. Whatever was cut off can be done again.
 */
export class RepositoryHistory {
  readonly #latest: () => number | undefined;

  /** `latest` returns the id of the latest checkpoint; undefined while there is none. */
  constructor(latest: () => number | undefined) {
    this.#latest = latest;
  }

  /** To be awaited before the repository at `path` in the folder of its storage changes, by its only writer. */
  async keep(storageFolder: string, path: string): Promise<void> {
    const latest = this.#latest();
    if (latest === undefined) return;
    const kept = `${storageFolder}/${historyName}/${latest}/${path}`;
    if ((await exists(kept)) || (await exists(`${kept}${absentSuffix}`))) return;
    await makeDurableFolder(dirname(kept));
    const source = `${storageFolder}/${path}`;
    if (!(await exists(source))) await writeFile(`${kept}${absentSuffix}`, "");
    else {
      const temporary = `${kept}.new`;
      await rm(temporary, { recursive: true, force: true });
      await copyShared(source, temporary);
      await rename(temporary, kept);
    }
    await syncFolder(dirname(kept));
  }

  /**
   * Puts every repository back to its state at a checkpoint; the states that it and later ones kept are used up. The latest
   * go first, so that the oldest is the last to be put back, however often this begins anew.
   */
  async restore(folders: StorageFolders, checkpointId: number): Promise<void> {
    for (const folder of folders.values()) {
      const ids = (await idsIn(folder)).filter((id) => id >= checkpointId);
      for (const id of ids.reverse()) {
        const root = `${folder}/${historyName}/${id}`;
        for (const { path, isAbsent } of await statesIn(root)) await putBack(root, folder, path, isAbsent);
        await rm(root, { recursive: true, force: true });
      }
    }
  }

  /** Hands the states of checkpoints that are gone on to the one before, where it has none of the repository. */
  async dropOthers(folders: StorageFolders, checkpointIds: readonly number[]): Promise<void> {
    for (const folder of folders.values()) {
      const dropped = (await idsIn(folder)).filter((id) => !checkpointIds.includes(id));
      for (const id of dropped.reverse()) {
        const root = `${folder}/${historyName}/${id}`;
        const previous = checkpointIds.findLast((each) => each < id);
        if (previous !== undefined) await handOn(root, `${folder}/${historyName}/${previous}`);
        await rm(root, { recursive: true, force: true });
      }
    }
  }
}

/** Objects by a second name, everything else as a copy. */
async function copyShared(source: string, destination: string): Promise<void> {
  await mkdir(destination, { recursive: true, mode: 0o700 });
  for (const entry of await readdir(source, { withFileTypes: true })) {
    const [from, to] = [`${source}/${entry.name}`, `${destination}/${entry.name}`];
    if (entry.isDirectory()) await copyShared(from, to);
    else if (isSpecial(entry)) continue;
    else if (/\/objects(\/|$)/.test(source)) await linkOrCopy(from, to);
    else await copyFile(from, to);
  }
}

/** Git makes no such files, and a copy of a pipe would wait for a program that writes to it. */
function isSpecial(entry: Dirent): boolean {
  return entry.isFIFO() || entry.isSocket() || entry.isCharacterDevice() || entry.isBlockDevice();
}

/** Some file systems have no second names. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    const code = codeOf(error);
    if (code !== "EPERM" && code !== "ENOTSUP" && code !== "EMLINK" && code !== "ENOSYS") throw error;
    await copyFile(from, to);
  }
}

async function putBack(root: string, folder: string, path: string, isAbsent: boolean): Promise<void> {
  const place = `${folder}/${path}`;
  await rm(place, { recursive: true, force: true });
  if (isAbsent) await rm(`${root}/${path}${absentSuffix}`);
  else {
    await makeDurableFolder(dirname(place));
    await rename(`${root}/${path}`, place);
    await syncFolder(dirname(place));
  }
}

async function handOn(from: string, to: string): Promise<void> {
  for (const { path, isAbsent } of await statesIn(from)) {
    if ((await exists(`${to}/${path}`)) || (await exists(`${to}/${path}${absentSuffix}`))) continue;
    const name = isAbsent ? `${path}${absentSuffix}` : path;
    await makeDurableFolder(dirname(`${to}/${name}`));
    await rename(`${from}/${name}`, `${to}/${name}`);
  }
}

/** Ids of the checkpoints with states in a storage, in rising order. */
async function idsIn(folder: string): Promise<number[]> {
  const names = (await ifThere(readdir(`${folder}/${historyName}`))) ?? [];
  return names.map(Number).sort((one, other) => one - other);
}

/** The states below a folder, by the paths of their repositories: `@hashed/ab/cd/<hash>.git`. */
async function statesIn(root: string): Promise<{ path: string; isAbsent: boolean }[]> {
  const found: { path: string; isAbsent: boolean }[] = [];
  const walk = async (at: string, depth: number): Promise<void> => {
    for (const name of (await ifThere(readdir(`${root}/${at}`))) ?? []) {
      const path = at === "" ? name : `${at}/${name}`;
      if (depth < repositoryDepth) await walk(path, depth + 1);
      else if (name.endsWith(absentSuffix)) found.push({ path: path.slice(0, -absentSuffix.length), isAbsent: true });
      else if (!name.endsWith(".new")) found.push({ path, isAbsent: false });
    }
  };
  await walk("", 0);
  return found;
}

/** Folders above a repository in its storage. */
const repositoryDepth = 3;
