import { genericOperations } from "./generic-operations.ts";
import { packageRegistryOperations } from "./operations.ts";

export {
  type PackageFileRecord,
  type PackagePipelineRecord,
  type PackageRecord,
  packageFiles,
  packagePipelines,
  packages,
} from "./collection.ts";
export { packageRemoval } from "./removal.ts";

export const packageOperations = [...packageRegistryOperations, ...genericOperations];
