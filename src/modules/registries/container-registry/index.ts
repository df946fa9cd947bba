import { defineModule } from "../../kernel/module.ts";
import { containerRegistryRemoval, containerRepositoryDeletion } from "./deletion.ts";
import { distributionOperations } from "./distribution/operations.ts";
import { uploadOperations } from "./distribution/operations-uploads.ts";
import { BlobUploads } from "./distribution/uploads.ts";
import { registryOperations } from "./operations.ts";
import { containerBlobs, containerManifests, containerRepositories, containerTags } from "./records.ts";
import { containerTagsDeletion } from "./service-bulk-deletion.ts";
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
