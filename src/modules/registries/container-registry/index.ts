import { defineModule } from "../../kernel/module.ts";
import { containerTagsDeletion } from "./bulk-deletion.ts";
import { containerRegistryRemoval, containerRepositoryDeletion } from "./deletion.ts";
import { distributionOperations } from "./distribution/distribution-operations.ts";
import { uploadOperations } from "./distribution/upload-operations.ts";
import { BlobUploads } from "./distribution/uploads.ts";
import { registryOperations } from "./operations.ts";
import { containerBlobs, containerManifests, containerRepositories, containerTags } from "./records.ts";
import { containerSweep } from "./sweep.ts";

export {
  containerBlobs,
  containerManifests,
  containerRepositories,
  containerTags,
} from "./records.ts";

export const containerRegistryModule = defineModule({
  name: "container-registry",
  tag: "Container registry",
  operations: [...registryOperations, ...distributionOperations, ...uploadOperations],
  services: [BlobUploads],
  collections: [containerRepositories, containerBlobs, containerManifests, containerTags],
  jobs: [containerRepositoryDeletion, containerTagsDeletion],
  cron: [containerSweep],
  on: [containerRegistryRemoval],
});
