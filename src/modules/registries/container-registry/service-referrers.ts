import type { Store } from "../../../store/index.ts";
import { digestOf } from "./digests.ts";
import { annotationsOf, servedType } from "./manifest-shape.ts";
import { type ContainerManifestRecord, type ContainerRepositoryRecord, containerManifests, keyIn } from "./records.ts";

export const indexType = "application/vnd.oci.image.index.v1+json";

/** Limits of one page, in referrers and in bytes of their manifests: each is read for its annotations. */
const perPage = 100;
const bytesMax = 4 * 1024 ** 2;

/** A descriptor of the image specification. */
export interface Referrer {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly artifactType?: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** The manifests that name a digest as their subject, the oldest first; `next`: where the next page goes on behind. */
export function listReferrers(
  store: Store,
  repository: Pick<ContainerRepositoryRecord, "id"> | undefined,
  asked: { readonly subject: string; readonly artifactType: string | undefined; readonly last: number | undefined },
): { readonly manifests: readonly Referrer[]; readonly next: number | undefined } {
  if (repository === undefined) return { manifests: [], next: undefined };
  const { subject, artifactType, last } = asked;
  const { items, hasNext } = store.page(containerManifests, {
    where: [{ index: "subject", key: keyIn(repository.id, subject) }],
    order: "id",
    descending: false,
    page: { kind: "keyset", after: last === undefined ? undefined : { key: last, id: last }, perPage },
    matches: ({ artifact_type }) => artifactType === undefined || artifact_type === artifactType,
  });
  const shown = itemsWithin(items);
  const isCut = hasNext || shown.length < items.length;
  return { manifests: shown.map((each) => present(store, each)), next: isCut ? shown.at(-1)?.id : undefined };
}

/** Returns as many as fit into the limit of bytes, at least the first one. */
function itemsWithin(items: readonly ContainerManifestRecord[]): readonly ContainerManifestRecord[] {
  let bytes = 0;
  const end = items.findIndex(({ size }) => {
    bytes += size;
    return bytes > bytesMax;
  });
  return end === -1 ? items : items.slice(0, Math.max(1, end));
}

function present(store: Store, { media_type, digest, size, artifact_type }: ContainerManifestRecord): Referrer {
  const annotations = annotationsOf(store.blobs.read(digest));
  return {
    mediaType: servedType(media_type),
    digest: digestOf(digest),
    size,
    ...(artifact_type === undefined ? {} : { artifactType: artifact_type }),
    ...(annotations === undefined ? {} : { annotations }),
  };
}
