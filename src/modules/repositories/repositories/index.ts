import { defineModule } from "../../kernel/module.ts";
import { branchPushed } from "./events.ts";
import { storageMoves } from "./records-moves.ts";
import { groupMoveRemoval, repositoryDeletion, repositoryRemoval } from "./removal.ts";

export { branchPushed, type Push } from "./events.ts";
export { presentCommit, readmeUrl, rootFileUrl } from "./present.ts";
export {
  isBeingMoved,
  type MovedKind,
  type MoveState,
  moveStates,
  removeMovesOf,
  type StorageMoveRecord,
  storageMoves,
} from "./records-moves.ts";
export { switchRef } from "./ref-switch.ts";
export { withDefaultBranch } from "./refs/service-branches.ts";
export { repositoryDeletion } from "./removal.ts";
export { Commit } from "./schema.ts";
export { commitInitialReadme, initialBranch } from "./service-initial-commit.ts";
export { findLicenseFile } from "./service-license.ts";
export { placeOf, readerOf } from "./service-repository-access.ts";
export { pickStorage } from "./storage-weights.ts";

export const repositoriesModule = defineModule({
  name: "repositories",
  tag: "Repositories",
  areas: ["*", "projects"],
  operations: async () => {
    const [{ fileOperations }, { rawGitOperations }, { readOperations }, { branchOperations }, { tagOperations }] =
      await Promise.all([
        import("./files/operations.ts"),
        import("./operations-raw-git.ts"),
        import("./operations-read.ts"),
        import("./refs/operations-branches.ts"),
        import("./refs/operations-tags.ts"),
      ]);
    return [...fileOperations, ...branchOperations, ...tagOperations, ...readOperations, ...rawGitOperations];
  },
  collections: Object.values(storageMoves),
  jobs: [repositoryDeletion],
  events: [branchPushed],
  on: [repositoryRemoval, groupMoveRemoval],
});
