import { genericOperations } from "./generic-operations.ts";
import { packageRegistryOperations } from "./operations.ts";

export {
  packageFiles,
  packagePipelines,
  packages,
} from "./collection.ts";
export { packageDeletion } from "./deletion.ts";
export { packageRemoval } from "./removal.ts";
export { insertFile } from "./upload.ts";
export const packageOperations = [...packageRegistryOperations, ...genericOperations];
