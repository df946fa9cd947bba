import { exitCodes, StartError } from "../../../domain/start-error.ts";
import { collections } from "../../../modules/index.ts";
import { checkStore, type Finding, lockFolder, type StorePlace, systemDisk } from "../../../store/index.ts";
import { Progress } from "../../output/progress.ts";
import { printJson } from "../../output/table.ts";
import { print } from "../../output/terminal.ts";

export interface CheckFlags {
  /** Absolute path of the data folder. */
  readonly folder: string;
  readonly repair: boolean;
  readonly json: boolean;
}

interface Line {
  readonly problem: string;
  readonly cure: string;
  readonly repaired?: string;
}

/**
 * Offline health of a store: one line for each thing found, and with `repair` one for each thing done.
 * Returns the exit code: 0 for a sound store or one that was repaired, 3 for a damaged one. Throws `StartError` when a
 * server holds the folder or there is no store in it.
 */
export async function check({ folder, repair, json }: CheckFlags): Promise<number> {
  if (!systemDisk.exists(folder))
    throw new StartError(`the folder ${folder} does not exist`, "outpost check --data DIR");
  const lock = lockFolder(folder);
  try {
    const lines: Line[] = [];
    // A repair may bring to light what could not be read before, so the check is done again until it finds nothing new.
    for (
      let findings = await checkWithProgress({ folder });
      findings.length > 0;
      findings = await checkWithProgress({ folder })
    ) {
      const known = lines.length;
      for (const { problem, cure, repair: act } of findings) {
        if (lines.some((line) => line.problem === problem)) continue;
        lines.push(repair ? { problem, cure, repaired: await act() } : { problem, cure });
      }
      if (!repair || lines.length === known) break;
    }
    await report(folder, lines, json);
    const isSound = lines.length === 0 || (repair && (await checkWithProgress({ folder })).length === 0);
    return isSound ? 0 : exitCodes.damaged;
  } finally {
    lock.release();
  }
}

/** As `checkStore`, with a bar for each of its parts. */
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
    ({ problem, cure, repaired }) =>
      `${problem}\n  ${repaired === undefined ? `--repair would: ${cure}` : `repaired: ${repaired}`}\n`,
  );
  await print(found.length === 0 ? `${folder} is sound\n` : found.join(""));
}
