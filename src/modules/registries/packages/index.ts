import { deletedWithProject } from "../../core/namespaces/index.ts";
import { defineModule } from "../../kernel/module.ts";
import { packageEvents } from "./events.ts";
import { packageFiles, packagePipelines, packages } from "./records.ts";
import { packageDeletion } from "./service-deletion.ts";

export { packageEvents } from "./events.ts";
export { insertFile } from "./service-upload.ts";

export const packagesModule = defineModule({
  name: "packages",
  tag: "Packages",
  about: { Packages: "Packages of projects, and the generic registry for their files." },
  areas: ["groups", "projects"],
  operations: async () => {
    const [{ packageRegistryOperations }, { genericOperations }] = await Promise.all([
      import("./operations.ts"),
      import("./operations-generic.ts"),
    ]);
    return [...packageRegistryOperations, ...genericOperations];
  },
  samples: async () => (await import("./samples.ts")).packageSamples,
  collections: [packages, packageFiles, packagePipelines],
  jobs: [packageDeletion],
  events: packageEvents.all,
  // The blobs of the files are swept.
  on: [deletedWithProject(packageFiles, 6), deletedWithProject(packagePipelines, 6), deletedWithProject(packages, 6)],
});
