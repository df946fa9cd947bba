export { jobArtifacts } from "./collection.ts";
export {
  archiveOf,
  artifactExpiry,
  artifactsOf,
  dropArtifacts,
  type NewArtifact,
  presentArtifacts,
  putArtifact,
} from "./service.ts";
