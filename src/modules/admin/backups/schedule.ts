/** The periodic work that writes backups into a folder and removes old ones. */

import { mkdir, readdir, rm } from "node:fs/promises";
import type { CronJob } from "../../core/background-jobs/index.ts";
import type { BackupSettings, Context } from "../../kernel/context.ts";
import { archiveNameAt, backUp, whenFree } from "./service.ts";
import { RequestedBackup } from "./service-folder.ts";

/** Names that scheduled backups have: others in the folder are left alone. */
const ownName = /^outpost-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.tar\.gz$/;

export const scheduledBackup: CronJob = {
  name: "backup",
  schedule: ({ backups: { schedule } }) => (schedule === undefined ? undefined : { cron: schedule }),
  run: ({ context, signal }) => backUpInto(context.backups, context, signal),
};

/** One more than wanted: the new one is on the disk and verified before an older one is removed. */
async function backUpInto({ folder, keep }: BackupSettings, context: Context, signal: AbortSignal): Promise<void> {
  const { writeArchiveFile } = await import("../../../archive/index.ts");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const written = `${context.get(RequestedBackup).running?.name}.part`;
  for (const name of await readdir(folder)) {
    // The file of a process that was killed during its backup.
    const isLeftOver = name !== written && name.endsWith(".part") && ownName.test(name.slice(0, -".part".length));
    if (isLeftOver) await rm(`${folder}/${name}`);
  }
  await whenFree(context, signal, () => context.log.info({}, "the backup by the clock waits for another one"));
  const file = `${folder}/${archiveNameAt(context.clock.now())}`;
  const { journal_position, files, bytes } = await writeArchiveFile(file, backUp(context, signal));
  context.log.info({ file, journal_position, files, bytes }, "a backup is written and whole");
  const old = (await readdir(folder))
    .filter((name) => ownName.test(name))
    .sort()
    .slice(0, -keep);
  for (const name of old) await rm(`${folder}/${name}`);
}
