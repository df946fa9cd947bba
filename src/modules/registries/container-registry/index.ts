import { distributionOperations } from "./distribution/distribution-operations.ts";
import { uploadOperations } from "./distribution/upload-operations.ts";
import { registryOperations } from "./operations.ts";

export { containerTagsDeletion } from "./bulk-deletion.ts";
export { containerRegistryRemoval, containerRepositoryDeletion } from "./deletion.ts";
export { BlobUploads } from "./distribution/uploads.ts";
export {
  containerBlobs,
  containerManifests,
  containerRepositories,
  containerTags,
} from "./records.ts";
export { containerSweep } from "./sweep.ts";

export const containerRegistryOperations = [...registryOperations, ...distributionOperations, ...uploadOperations];
