/** The operations of the module, in the order of the API reference. */

import { fileOperations } from "./files/operations.ts";
import { rawGitOperations } from "./operations-raw-git.ts";
import { readOperations } from "./operations-read.ts";
import { branchOperations } from "./refs/operations-branches.ts";
import { tagOperations } from "./refs/operations-tags.ts";

export const operations = [
  ...fileOperations,
  ...branchOperations,
  ...tagOperations,
  ...readOperations,
  ...rawGitOperations,
];
