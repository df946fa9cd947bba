import { defineModule } from "../../kernel/module.ts";
import { branchPushed } from "./events.ts";
import { fileOperations } from "./files/file-operations.ts";
import { storageMoves } from "./moves.ts";
import { plainOperations } from "./raw-git-operations.ts";
import { readOperations } from "./read-operations.ts";
import { branchOperations } from "./refs/branch-operations.ts";
import { tagOperations } from "./refs/tag-operations.ts";
import { groupMoveRemoval, repositoryDeletion, repositoryRemoval } from "./removal.ts";

export { branchPushed, type Push } from "./events.ts";
export { commitInitialReadme, initialBranch } from "./initial-commit.ts";
export {
  isBeingMoved,
  type MovedKind,
  type MoveState,
  moveStates,
  removeMovesOf,
  type StorageMoveRecord,
  storageMoves,
} from "./moves.ts";
export { presentCommit, readmeUrl } from "./present.ts";
export { withDefaultBranch } from "./refs/branches.ts";
export { repositoryDeletion } from "./removal.ts";
export { placeOf } from "./repository-access.ts";
export { Commit } from "./schema.ts";
export { pickStorage } from "./storage-weights.ts";

export const repositoriesModule = defineModule({
  name: "repositories",
  tag: "Repositories",
  operations: [...fileOperations, ...branchOperations, ...tagOperations, ...readOperations, ...plainOperations],
  collections: Object.values(storageMoves),
  jobs: [repositoryDeletion],
  events: [branchPushed],
  on: [repositoryRemoval, groupMoveRemoval],
});
