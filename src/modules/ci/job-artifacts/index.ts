import { defineModule } from "../../kernel/module.ts";
import { jobArtifacts } from "./records.ts";
import { artifactExpiry } from "./service.ts";

export { jobArtifacts } from "./records.ts";
export { archivedFileOf, archiveOf, dropArtifacts, keepArtifacts, presentArtifacts, putArtifact } from "./service.ts";

export const jobArtifactsModule = defineModule({
  name: "job-artifacts",
  collections: [jobArtifacts],
  jobs: [artifactExpiry],
});
