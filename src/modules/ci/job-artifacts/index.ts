import { defineModule } from "../../kernel/module.ts";
import { jobArtifacts } from "./records.ts";
import { artifactExpiry } from "./service.ts";

export { type DotenvVariable, readDotenv } from "./dotenv.ts";
export { type ArtifactType, artifactTypes, formats, kindOf } from "./kinds.ts";
export { accessInConfig, canReadArtifacts, requireArtifactReader } from "./policy.ts";
export {
  findArchive,
  getArchive,
  getArchivedFile,
  hasArtifacts,
  insertArtifact,
  keepArtifacts,
  listDotenvVariables,
  presentArtifacts,
  readArchivedText,
  removeArtifacts,
} from "./service.ts";

export const jobArtifactsModule = defineModule({
  name: "job-artifacts",
  collections: [jobArtifacts],
  jobs: [artifactExpiry],
});
