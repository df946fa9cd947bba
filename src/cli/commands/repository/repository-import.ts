import { readdirSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import { nanoid } from "nanoid";
import { exitCodes, StartError } from "../../../domain/start-error.ts";
import {
  importsFolderOf,
  makeDurableFolder,
  openSource,
  SourceError,
  type StagedRepository,
  stagedFolderOf,
  stageRepository,
} from "../../../git/index.ts";
import { Progress } from "../../output/progress.ts";
import { printJson } from "../../output/table.ts";
import { printMessage } from "../../output/terminal.ts";
import { withStore } from "../../store-access.ts";
import type { StoreFlags } from "../../store-command.ts";

export interface ImportFlags extends StoreFlags {
  /** A path or id. */
  readonly project: string;
  /** A folder with a repository, or a bundle. */
  readonly source: string;
}

/** The age after which the remains of a killed command are removed. */
const leftoverMs = 86_400_000;

/** Copies the source into the data folder, then makes the store import it. Throws `StartError`. */
export async function importInto(flags: ImportFlags): Promise<void> {
  const { dataFolder } = flags.config;
  await withStore(flags, async (store) => {
    const path = `/projects/${encodeURIComponent(flags.project)}`;
    const { path_with_namespace: project } = (await store.call({ method: "GET", path })) as ProjectInAnswer;
    await makeDurableFolder(importsFolderOf(dataFolder));
    await removeLeftovers(dataFolder);
    const stage = nanoid();
    const folder = stagedFolderOf(dataFolder, stage);
    try {
      const staged = await stageWithProgress(flags.source, folder);
      const values = { project, stage, commits: String(staged.commits) };
      await store.call({ method: "POST", path: "/-/repository-imports", values });
      await report(flags, project, staged);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}

interface ProjectInAnswer {
  readonly path_with_namespace: string;
}

async function stageWithProgress(source: string, folder: string): Promise<StagedRepository> {
  const progress = new Progress({ task: "checking objects", unit: "objects", quietMs: 1_000 });
  try {
    return await stageRepository(await openSource(resolve(source)), folder, () => progress.add(1));
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    throw new StartError(error.message, error.hint, { exitCode: exitCodes.usage, cause: error });
  } finally {
    progress.end();
  }
}

async function removeLeftovers(dataFolder: string): Promise<void> {
  const folder = importsFolderOf(dataFolder);
  for (const name of readdirSync(folder)) {
    const path = `${folder}/${name}`;
    const found = statSync(path, { throwIfNoEntry: false });
    if (found !== undefined && Date.now() - found.mtimeMs > leftoverMs)
      await rm(path, { recursive: true, force: true });
  }
}

async function report({ json }: ImportFlags, project: string, staged: StagedRepository): Promise<void> {
  const { branches, tags, commits, objects, leftOut, head } = staged;
  if (json) {
    await printJson({ project, branches, tags, commits, objects, default_branch: head, left_out: leftOut });
    return;
  }
  printMessage(
    `${project} has ${branches} branches and ${tags} tags with ${commits} commits; the default branch is ${head}`,
  );
  if (leftOut.length > 0) printMessage(`left out: ${leftOut.length} refs that are neither branches nor tags`);
}
