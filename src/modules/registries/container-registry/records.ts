import { collection, field, multi, ordered, type RecordOf, record, unique } from "../../../store/index.ts";

/** Images under one name: the path of a project, and what may follow it (triggers-and-pipelines 6). */
export const ContainerRepositoryRecord = record({
  id: field.whole,
  project_id: field.whole,
  /** The part after the project's path; `""` for none. */
  name: field.text,
  /** A job is removing it: its name is free. */
  status: field.nullable(field.oneOf("delete_scheduled")),
  created_at: field.moment,
  updated_at: field.moment,
  /** The time of the last request to delete tags in bulk; left out for none. */
  tags_deletion_at: field.optional(field.moment),
});
export type ContainerRepositoryRecord = RecordOf<typeof ContainerRepositoryRecord>;

/** A blob or manifest in a repository, under the SHA-256 of its bytes in hexadecimal digits. */
export const Content = field.object({
  id: field.whole,
  repository_id: field.whole,
  project_id: field.whole,
  digest: field.text,
  /** The SHA-512 of its bytes, if it was pushed under that. */
  sha512: field.optional(field.text),
  /** Bytes. */
  size: field.whole,
  created_at: field.moment,
  /** Number of references to it in the repository: manifests name blobs and other manifests; tags name manifests. */
  reference_count: field.whole,
  /** The time since which nothing names it and it waits to be swept; null: it is in use. */
  idle_since: field.nullable(field.moment),
});
export type Content = RecordOf<typeof Content>;

/** A layer or configuration. */
export const ContainerBlobRecord = record({ ...Content.properties });
export type ContainerBlobRecord = RecordOf<typeof ContainerBlobRecord>;

/** The list of an image's parts, or of the images that stand for one name. */
export const ContainerManifestRecord = record({
  ...Content.properties,
  media_type: field.text,
  /** Digests of the blobs and manifests that it names, each once. */
  blobs: field.listOf(field.text),
  manifests: field.listOf(field.text),
  /** Digest of its configuration; left out where it has none. */
  config: field.optional(field.text),
  /** Bytes of all layers, those of the images that it stands for included. */
  total_size: field.whole,
  /** Digest, as it names it, of the manifest that it says something of, which need not be there. */
  subject: field.optional(field.text),
  /** The artifact's media type; only where the manifest has a subject. */
  artifact_type: field.optional(field.text),
});
export type ContainerManifestRecord = RecordOf<typeof ContainerManifestRecord>;

export const ContainerTagRecord = record({
  id: field.whole,
  repository_id: field.whole,
  project_id: field.whole,
  name: field.text,
  /** The digest of its manifest. */
  digest: field.text,
  created_at: field.moment,
  updated_at: field.moment,
});
export type ContainerTagRecord = RecordOf<typeof ContainerTagRecord>;

export const containerRepositories = collection("container-repositories", ContainerRepositoryRecord, {
  indexes: {
    place: unique((each) => (each.status === null ? keyIn(each.project_id, each.name) : undefined)),
    project_id: multi((each) => [each.project_id]),
    id: ordered((each) => each.id),
  },
  references: { project_id: "projects" },
});

export const containerBlobs = collection("container-blobs", ContainerBlobRecord, {
  indexes: {
    place: unique((blob) => keyIn(blob.repository_id, blob.digest)),
    sha512: unique((blob) => sha512Key(blob)),
    repository_id: multi((blob) => [blob.repository_id]),
    project_id: multi((blob) => [blob.project_id]),
    idle_since: ordered((blob) => blob.idle_since ?? neverIdle),
  },
  blobsOf: (blob) => [blob.digest],
  secrets: { digest: "public" },
  references: { repository_id: "container-repositories", project_id: "projects" },
});

export const containerManifests = collection("container-manifests", ContainerManifestRecord, {
  indexes: {
    place: unique((manifest) => keyIn(manifest.repository_id, manifest.digest)),
    sha512: unique((manifest) => sha512Key(manifest)),
    repository_id: multi((manifest) => [manifest.repository_id]),
    project_id: multi((manifest) => [manifest.project_id]),
    child: multi((manifest) => manifest.manifests.map((digest) => keyIn(manifest.repository_id, digest))),
    subject: multi((manifest) =>
      manifest.subject === undefined ? [] : [keyIn(manifest.repository_id, manifest.subject)],
    ),
    id: ordered((manifest) => manifest.id),
    idle_since: ordered((manifest) => manifest.idle_since ?? neverIdle),
  },
  blobsOf: (manifest) => [manifest.digest],
  secrets: { digest: "public" },
  references: { repository_id: "container-repositories", project_id: "projects" },
});

export const containerTags = collection("container-tags", ContainerTagRecord, {
  indexes: {
    place: unique((tag) => keyIn(tag.repository_id, tag.name)),
    manifest: multi((tag) => [keyIn(tag.repository_id, tag.digest)]),
    repository_id: multi((tag) => [tag.repository_id]),
    project_id: multi((tag) => [tag.project_id]),
    name: ordered((tag) => tag.name),
  },
  secrets: { digest: "public" },
  references: { repository_id: "container-repositories", project_id: "projects" },
});

/** A name or digest in a repository, or a name in a project. */
export function keyIn(id: number, name: string): string {
  return `${id} ${name}`;
}

function sha512Key({ repository_id, sha512 }: Content): string | undefined {
  return sha512 === undefined ? undefined : keyIn(repository_id, sha512);
}

/** Sorts behind every time. */
const neverIdle = "9999";
