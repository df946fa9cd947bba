import { distributionOperations } from "./distribution-operations.ts";
import { registryOperations } from "./operations.ts";
import { uploadOperations } from "./upload-operations.ts";

export { containerTagsDeletion } from "./bulk-deletion.ts";
export {
  containerBlobs,
  containerManifests,
  containerRepositories,
  containerTags,
} from "./collection.ts";
export { containerRegistryRemoval, containerRepositoryDeletion } from "./deletion.ts";
export { containerSweep } from "./sweep.ts";
export { BlobUploads } from "./uploads.ts";

export const containerRegistryOperations = [...registryOperations, ...distributionOperations, ...uploadOperations];
