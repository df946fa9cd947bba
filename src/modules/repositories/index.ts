import { branchOperations } from "./branch-operations.ts";
import { fileOperations } from "./file-operations.ts";
import { plainOperations } from "./plain-operations.ts";
import { readOperations } from "./read-operations.ts";
import { tagOperations } from "./tag-operations.ts";

export { commitReadme, firstBranchFor } from "./births.ts";
export { withDefaultBranch } from "./branches.ts";
export {
  isBeingMoved,
  type MovedKind,
  type MoveState,
  moveStates,
  removeMovesOf,
  type StorageMoveRecord,
  storageMoves,
} from "./moves.ts";
export { placeOf } from "./places.ts";
export { presentCommit, readmeUrl } from "./present.ts";
export { repositoryDeletion, repositoryRemoval } from "./removal.ts";
export { Commit } from "./schema.ts";
export { drawStorage } from "./weights.ts";
export const repositoryOperations = [
  ...fileOperations,
  ...branchOperations,
  ...tagOperations,
  ...readOperations,
  ...plainOperations,
];
