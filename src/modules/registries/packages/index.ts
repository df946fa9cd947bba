import { genericOperations } from "./generic-operations.ts";
import { packageRegistryOperations } from "./operations.ts";

export { packageDeletion } from "./deletion.ts";
export {
  packageFiles,
  packagePipelines,
  packages,
} from "./records.ts";
export { packageRemoval } from "./removal.ts";
export { insertFile } from "./upload.ts";
export const packageOperations = [...packageRegistryOperations, ...genericOperations];
