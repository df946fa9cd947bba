export { jobArtifacts } from "./records.ts";
export {
  archivedFileOf,
  archiveOf,
  artifactExpiry,
  dropArtifacts,
  keepArtifacts,
  presentArtifacts,
  putArtifact,
} from "./service.ts";
