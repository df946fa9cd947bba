import { defineModule } from "../../kernel/module.ts";
import { refPushed } from "./events.ts";
import { mergedBranchesDeletion } from "./refs/service-merged-branches.ts";
import { repositoryDeletion, repositoryRemoval } from "./removal.ts";
import { repositoryRepack } from "./repack.ts";

export type { FileAction } from "./commits/actions.ts";
export type { CommitRequest } from "./commits/service-create.ts";
export { createCommit, signaturesOf } from "./commits/service-create.ts";
export { resolveCommit } from "./commits/service-read.ts";
export { patchOf } from "./diffs/patch.ts";
export { presentDiff } from "./diffs/present.ts";
export { Diff } from "./diffs/schema.ts";
export { type DiffExtent, type DiffLine, diffBetween, hasDiffLine } from "./diffs/service.ts";
export { type Push, type PushPipeline, refPushed } from "./events.ts";
export { decodeContent } from "./files/content.ts";
export { presentCommit, presentCommitWithStats, readmeUrl, rootFileUrl } from "./present.ts";
export { switchRef } from "./ref-switch.ts";
export { withDefaultBranch } from "./refs/service-branches.ts";
export { writeWithTag } from "./refs/service-tags.ts";
export { repositoryDeletion } from "./removal.ts";
export { requestRoomForPack } from "./repack.ts";
export { Commit, CommitStats, messageCharactersMax } from "./schema.ts";
export { type FoundCommit, getCommit } from "./service-commits.ts";
export { commitInitialReadme, defaultBranchOrFirst, initialBranch } from "./service-initial-commit.ts";
export { findLicenseFile } from "./service-license.ts";
export {
  createRef,
  deleteRef,
  prepareCommit,
  prepareDeletion,
  prepareOtherRef,
  prepareRef,
  pushCommit,
  recordActivity,
  recordPack,
  recordPutBack,
} from "./service-pushes.ts";
export { placeOf, readerOf, readRepository, writeRepository } from "./service-repository-access.ts";
export { pickStorage } from "./storage-weights.ts";

export const repositoriesModule = defineModule({
  name: "repositories",
  tag: "Repositories",
  about: { Repositories: "Files, branches, tags and commits of projects, and git itself." },
  areas: ["-/repository-imports", "projects"],
  operations: async () => {
    const parts = await Promise.all([
      import("./archives/operations.ts").then((file) => file.archiveOperations),
      import("./blobs/operations.ts").then((file) => file.blobOperations),
      import("./blame/operations.ts").then((file) => file.blameOperations),
      import("./changelog/operations.ts").then((file) => file.changelogOperations),
      import("./commits/operations.ts").then((file) => file.commitOperations),
      import("./commits/operations-pick.ts").then((file) => file.pickOperations),
      import("./diffs/operations.ts").then((file) => file.diffOperations),
      import("./files/operations.ts").then((file) => file.fileOperations),
      import("./history/operations.ts").then((file) => file.historyOperations),
      import("./refs/operations-branches.ts").then((file) => file.branchOperations),
      import("./refs/operations-tags.ts").then((file) => file.tagOperations),
      import("./operations-read.ts").then((file) => file.readOperations),
      import("./operations-import.ts").then((file) => file.importOperations),
    ]);
    return parts.flat();
  },
  samples: async () => (await import("./samples.ts")).repositorySamples,
  jobs: [repositoryDeletion, repositoryRepack, mergedBranchesDeletion],
  events: [refPushed],
  on: [repositoryRemoval],
});
