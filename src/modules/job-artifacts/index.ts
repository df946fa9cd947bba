export { jobArtifacts } from "./collection.ts";
export {
  archiveOf,
  artifactExpiry,
  dropArtifacts,
  presentArtifacts,
  putArtifact,
} from "./service.ts";
