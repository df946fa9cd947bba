import { defineModule } from "../../kernel/module.ts";
import { containerRegistryRemoval, containerRepositoryDeletion } from "./deletion.ts";
import { BlobUploads } from "./distribution/uploads.ts";
import { ManifestTurns } from "./manifest-turns.ts";
import { containerBlobs, containerManifests, containerRepositories, containerTags } from "./records.ts";
import { containerTagsDeletion } from "./service-bulk-deletion.ts";
import { containerSweep } from "./sweep.ts";

export const containerRegistryModule = defineModule({
  name: "container-registry",
  tag: "Container registry",
  about: { "Container registry": "Images of projects, and the protocol with which tools push and pull them." },
  areas: ["groups", "projects", "registry", "v2"],
  operations: async () => {
    const [{ distributionOperations }, { uploadOperations }, { registryOperations }] = await Promise.all([
      import("./distribution/operations.ts"),
      import("./distribution/operations-uploads.ts"),
      import("./operations.ts"),
    ]);
    return [...registryOperations, ...distributionOperations, ...uploadOperations];
  },
  samples: async () => (await import("./samples.ts")).containerRegistrySamples,
  services: [BlobUploads, ManifestTurns],
  collections: [containerRepositories, containerBlobs, containerManifests, containerTags],
  jobs: [containerRepositoryDeletion, containerTagsDeletion],
  cron: [containerSweep],
  on: [containerRegistryRemoval],
});
