export { jobArtifacts } from "./collection.ts";
export {
  archivedFileOf,
  archiveOf,
  artifactExpiry,
  dropArtifacts,
  keepArtifacts,
  presentArtifacts,
  putArtifact,
} from "./service.ts";
