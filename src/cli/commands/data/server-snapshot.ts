import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { restoreArchive } from "../../../archive/index.ts";
import { Progress } from "../../output/progress.ts";
import type { RunningServer } from "../../running-server.ts";
import { archiveOfServer, withBar } from "./backup.ts";

/**
 * Runs `work` with a temporary data folder that has a running server's documents and blobs as of one moment, without
 * repositories. Throws `StartError`.
 */
export async function withServerSnapshot<R>(server: RunningServer, work: (folder: string) => Promise<R>): Promise<R> {
  // The mode of the folder denies access to other users.
  const parent = await mkdtemp(join(tmpdir(), "outpost-snapshot-"));
  try {
    const dataFolder = join(parent, "data");
    const progress = new Progress({ task: "copying", unit: "bytes" });
    const pieces = withBar(await archiveOfServer(server, progress), progress);
    await restoreArchive(pieces, { dataFolder, repositoryStorages: [] }, { withRepositories: false });
    return await work(dataFolder);
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
}
