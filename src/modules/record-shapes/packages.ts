import {
  containerBlobs,
  containerManifests,
  containerRepositories,
  containerTags,
} from "../container-registry/index.ts";
import { packageFiles, packagePipelines, packages } from "../packages/index.ts";
import { listOf, moment, nullable, oneOf, optional, type RecordShape, shapeOf, text, whole } from "./shape.ts";

/** What manifests and blobs have in common. */
const content = {
  id: whole,
  repository_id: whole,
  project_id: whole,
  digest: text,
  size: whole,
  created_at: moment,
  uses: whole,
  idle_since: nullable(moment),
};

export const shapes: readonly RecordShape[] = [
  shapeOf(packages, {
    id: whole,
    project_id: whole,
    name: text,
    version: text,
    package_type: oneOf(
      "maven",
      "npm",
      "conan",
      "nuget",
      "pypi",
      "composer",
      "generic",
      "golang",
      "debian",
      "rubygems",
      "helm",
      "terraform_module",
      "rpm",
      "ml_model",
      "cargo",
    ),
    status: oneOf("default", "hidden", "processing", "error", "pending_destruction", "deprecated"),
    created_at: moment,
    updated_at: moment,
    last_downloaded_at: nullable(moment),
  }),
  shapeOf(packageFiles, {
    id: whole,
    package_id: whole,
    project_id: whole,
    file_name: text,
    size: whole,
    sha256: text,
    sha1: text,
    md5: text,
    created_at: moment,
    pipeline_id: optional(whole),
  }),
  shapeOf(packagePipelines, { id: whole, package_id: whole, project_id: whole, pipeline_id: whole }),
  shapeOf(containerRepositories, {
    id: whole,
    project_id: whole,
    name: text,
    status: nullable(oneOf("delete_scheduled")),
    created_at: moment,
    updated_at: moment,
  }),
  shapeOf(containerBlobs, { ...content }),
  shapeOf(containerManifests, {
    ...content,
    media_type: text,
    blobs: listOf(text),
    manifests: listOf(text),
    config: optional(text),
    total_size: whole,
  }),
  shapeOf(containerTags, {
    id: whole,
    repository_id: whole,
    project_id: whole,
    name: text,
    digest: text,
    created_at: moment,
    updated_at: moment,
  }),
];
