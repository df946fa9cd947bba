import { exitCodes, StartError } from "../../../domain/start-error.ts";
import { collections } from "../../../modules/index.ts";
import {
  checkStore,
  type Finding,
  type FolderLock,
  lockFolder,
  type StorePlace,
  systemDisk,
  toStartError,
} from "../../../store/index.ts";
import { Progress } from "../../output/progress.ts";
import { printJson } from "../../output/table.ts";
import { print, printMessage } from "../../output/terminal.ts";
import { lockOrServer, RunningServer } from "../../running-server.ts";
import type { StoreFlags } from "../../store-command.ts";
import { withServerSnapshot } from "./server-snapshot.ts";

export interface CheckFlags extends StoreFlags {
  readonly repair: boolean;
}

interface Line {
  readonly problem: string;
  readonly hint: string;
  readonly repaired?: string;
}

/**
 * Checks a store. Prints one line for each problem, and with `repair` one for each repair. For a running server, it checks a
 * snapshot. Returns 0 for an intact or repaired store, 3 for a damaged one. Throws `StartError` when the folder has no
 * store, and when a server uses a store to be repaired.
 */
export async function check(flags: CheckFlags): Promise<number> {
  const folder = flags.config.dataFolder;
  if (flags.repair) return checkFolder(lockExisting(folder), flags);
  const place = await lockOrServer(flags, systemDisk.exists);
  return place instanceof RunningServer ? checkServer(place, flags.json) : checkFolder(place, flags);
}

function lockExisting(folder: string): FolderLock {
  if (systemDisk.exists(folder)) return lockFolder(folder);
  throw new StartError(`${folder} holds no store`, "outpost check --data DIR");
}

/** Parts of a store that a running server's backup lacks. */
const leftOut = ["the repositories", "the manifest and earlier generations in the data folder"];

async function checkServer(server: RunningServer, json: boolean): Promise<number> {
  return withServerSnapshot(server, async (folder) => {
    const findings = (await checkWithProgress({ folder })).map(({ problem }) => ({
      // Shows the server's paths without the folder of its generation.
      problem: problem.replaceAll(folder, "").replaceAll(/\/generations\/\d+\//g, ""),
      hint: "stop the server, then run outpost check --repair",
    }));
    const isSound = findings.length === 0;
    if (json) await printJson({ server: server.origin, sound: isSound, findings, not_checked: leftOut });
    else {
      const lines = findings.map(({ problem, hint }) => `${problem}\n  ${hint}\n`);
      await print(isSound ? `a backup of the server at ${server.origin} is sound\n` : lines.join(""));
    }
    printMessage(`not checked: ${leftOut.join(", ")}`);
    return isSound ? 0 : exitCodes.damaged;
  });
}

async function checkFolder(lock: FolderLock, { config: { dataFolder: folder }, repair, json }: CheckFlags) {
  try {
    const lines: Line[] = [];
    // A repair may reveal problems that could not be read before, so the check is repeated until it finds nothing new.
    for (
      let findings = await checkWithProgress({ folder });
      findings.length > 0;
      findings = await checkWithProgress({ folder })
    ) {
      const known = lines.length;
      for (const { problem, hint, repair: act } of findings) {
        if (lines.some((line) => line.problem === problem)) continue;
        lines.push(repair ? { problem, hint, repaired: await act() } : { problem, hint });
      }
      if (!repair || lines.length === known) break;
    }
    await report(folder, lines, json);
    const isSound = lines.length === 0 || (repair && (await checkWithProgress({ folder })).length === 0);
    return isSound ? 0 : exitCodes.damaged;
  } catch (error) {
    throw toStartError(folder, error);
  } finally {
    lock.release();
  }
}

/** Does what `checkStore` does, with a progress bar for each part. */
export async function checkWithProgress(place: StorePlace): Promise<readonly Finding[]> {
  const progress = new Progress({ task: "checking files", unit: "files" });
  try {
    return await checkStore({ disk: systemDisk, ...place, collections, onProgress: progress.follow });
  } finally {
    progress.end();
  }
}

async function report(folder: string, lines: readonly Line[], json: boolean): Promise<void> {
  if (json) {
    await printJson({ folder, sound: lines.length === 0, findings: lines });
    return;
  }
  const found = lines.map(
    ({ problem, hint, repaired }) =>
      `${problem}\n  ${repaired === undefined ? `--repair would: ${hint}` : `repaired: ${repaired}`}\n`,
  );
  await print(found.length === 0 ? `${folder} is sound\n` : found.join(""));
}
