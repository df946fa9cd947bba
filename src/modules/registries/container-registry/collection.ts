import type { DateTime } from "../../../lib/datetime.ts";
import { collection, multi, ordered, unique } from "../../../store/index.ts";

/** Images under one name: the path of a project, and what may follow it (triggers-and-pipelines 6). */
export interface ContainerRepositoryRecord {
  readonly id: number;
  readonly project_id: number;
  /** What follows the project's path; `""` for nothing. */
  readonly name: string;
  /** A job is removing it: its name is free. */
  readonly status: "delete_scheduled" | null;
  readonly created_at: DateTime;
  readonly updated_at: DateTime;
}

/** In a repository, under the SHA-256 of its bytes, in hexadecimal digits. */
export interface Content {
  readonly id: number;
  readonly repository_id: number;
  readonly project_id: number;
  readonly digest: string;
  /** Of its bytes, too, where it was pushed under that. */
  readonly sha512?: string;
  /** Bytes. */
  readonly size: number;
  readonly created_at: DateTime;
  /** What names it in the repository: manifests name blobs and others; tags name manifests. */
  readonly uses: number;
  /** Since when nothing names it and it waits to be swept; null: it does not. */
  readonly idle_since: DateTime | null;
}

/** A layer or configuration. */
export interface ContainerBlobRecord extends Content {}

/** What an image is made of, or which images stand for one name. */
export interface ContainerManifestRecord extends Content {
  readonly media_type: string;
  /** Digests of the blobs and manifests that it names, each once. */
  readonly blobs: readonly string[];
  readonly manifests: readonly string[];
  /** Digest of its configuration; left out where it has none. */
  readonly config?: string;
  /** Bytes of all layers, those of the images that it stands for included. */
  readonly total_size: number;
  /** Digest, as it names it, of the manifest that it says something of, which need not be there. */
  readonly subject?: string;
  /** What it says; only where it has a subject. */
  readonly artifact_type?: string;
}

export interface ContainerTagRecord {
  readonly id: number;
  readonly repository_id: number;
  readonly project_id: number;
  readonly name: string;
  /** Of its manifest. */
  readonly digest: string;
  readonly created_at: DateTime;
  readonly updated_at: DateTime;
}

export const containerRepositories = collection<ContainerRepositoryRecord>()("container-repositories", {
  place: unique((each) => (each.status === null ? keyIn(each.project_id, each.name) : undefined)),
  project_id: multi((each) => [each.project_id]),
  id: ordered((each) => each.id),
});

export const containerBlobs = collection<ContainerBlobRecord>()(
  "container-blobs",
  {
    place: unique((blob) => keyIn(blob.repository_id, blob.digest)),
    sha512: unique((blob) => sha512Key(blob)),
    repository_id: multi((blob) => [blob.repository_id]),
    project_id: multi((blob) => [blob.project_id]),
    idle_since: ordered((blob) => blob.idle_since ?? neverIdle),
  },
  { blobsOf: (blob) => [blob.digest] },
);

export const containerManifests = collection<ContainerManifestRecord>()(
  "container-manifests",
  {
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
  { blobsOf: (manifest) => [manifest.digest] },
);

export const containerTags = collection<ContainerTagRecord>()("container-tags", {
  place: unique((tag) => keyIn(tag.repository_id, tag.name)),
  manifest: multi((tag) => [keyIn(tag.repository_id, tag.digest)]),
  repository_id: multi((tag) => [tag.repository_id]),
  project_id: multi((tag) => [tag.project_id]),
  name: ordered((tag) => tag.name),
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
