/** The reader of manifests. */

import { isJsonBeyond } from "../../../lib/text/json-size.ts";
import { digestOf, hexOf } from "./digests.ts";
import { manifestInvalid } from "./distribution/failures.ts";

/** The relevant parts of a manifest; the store keeps its bytes unchanged. */
export interface ManifestShape {
  readonly mediaType: string;
  /** Each once, in hexadecimal digits. */
  readonly blobs: readonly string[];
  readonly manifests: readonly string[];
  readonly config: string | undefined;
  /** The size of its own layers. */
  readonly layersSize: number;
  /** Digest of the manifest that it says something of; left out where there is none. */
  readonly subject?: string;
  /** The type of the artifact, for the list of referrers of the subject. */
  readonly artifact_type?: string;
}

type Json = Readonly<Record<string, unknown>>;

const layerBytesMax = 2 ** 40;
const nestingMax = 100;
/** Blobs and manifests that one manifest names: images have at most 127 layers. Each of them is written by a push. */
const namedMax = 1_000;
const imageType = "application/vnd.oci.image.manifest.v1+json";
/** RFC 6838. */
const typePattern = /^[A-Za-z0-9][\w!#$&^.+-]{0,126}\/[A-Za-z0-9][\w!#$&^.+-]{0,126}$/;
/** Nothing that a browser would show or run: manifests are JSON, or JSON that is signed. */
const servedPattern = /^application\/(?:json|[A-Za-z0-9][\w!#$&^.+-]{0,118}\+(?:json|prettyjws))$/i;
/** The most characters of a sent text that an error quotes. */
const shownMax = 100;

/** Reads images, indexes and artifacts, of OCI and of Docker; what it does not know names nothing. Throws 400. */
export function readManifest(bytes: Uint8Array, declaredType: string): ManifestShape {
  const manifest = parse(bytes);
  const ownType = typeof manifest.mediaType === "string" ? manifest.mediaType : undefined;
  if (ownType !== undefined && declaredType !== "" && ownType.toLowerCase() !== declaredType) {
    throw manifestInvalid(`mediaType is ${ownType}, and Content-Type is ${declaredType}`);
  }
  if (ownType !== undefined && !typePattern.test(ownType)) throw manifestInvalid("mediaType is no media type");
  const named = listIn(manifest, "manifests");
  const children = named.filter((each) => !namesBlob(each));
  const layers = [...listIn(manifest, "layers"), ...listIn(manifest, "blobs"), ...named.filter(namesBlob)];
  const config = isObject(manifest.config) ? manifest.config : undefined;
  const own = [...(config === undefined ? [] : [config]), ...layers.filter((each) => !isElsewhere(each))];
  const older = listIn(manifest, "fsLayers").map(({ blobSum }) => ({ digest: blobSum }));
  if (layers.length + older.length + children.length > namedMax) {
    throw manifestInvalid(`the manifest names more than ${namedMax} blobs and manifests`);
  }
  return {
    mediaType: servedType(declaredType || ownType || imageType, ownType),
    blobs: distinct([...own, ...older].map(hexIn)),
    manifests: distinct(children.map(hexIn)),
    config: config === undefined ? undefined : hexIn(config),
    layersSize: layers.reduce((sum, { size }) => sum + bytesIn(size), 0),
    ...subjectIn(manifest, config),
  };
}

/** An index has no configuration that would say what it is. */
function subjectIn(manifest: Json, config: Json | undefined): Pick<ManifestShape, "subject" | "artifact_type"> {
  const { subject = null, artifactType } = manifest;
  if (subject === null) return {};
  if (!isObject(subject)) throw manifestInvalid("subject is no object");
  const type = artifactType || config?.mediaType;
  const isType = typeof type === "string" && typePattern.test(type);
  return { subject: digestOf(hexIn(subject)), ...(isType ? { artifact_type: type } : {}) };
}

/** The annotations of a manifest. */
export function annotationsOf(bytes: Uint8Array): Readonly<Record<string, string>> | undefined {
  const { annotations } = parse(bytes);
  if (!isObject(annotations)) return undefined;
  const texts = Object.entries(annotations).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return Object.fromEntries(texts);
}

/** The `Content-Type` of a served manifest; a type that the pusher declared must be of a known form. */
export function servedType(type: string, ownType?: string): string {
  return [type, ownType ?? imageType].find((each) => servedPattern.test(each)) ?? imageType;
}

function parse(bytes: Uint8Array): Json {
  if (isJsonBeyond(bytes, { levels: nestingMax })) {
    throw manifestInvalid("the manifest is nested too deeply or has too many values");
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw manifestInvalid("the manifest is no JSON");
  }
  if (!isObject(parsed)) throw manifestInvalid("the manifest is no object");
  return parsed;
}

function listIn(manifest: Json, name: string): readonly Json[] {
  const list = manifest[name] ?? [];
  if (!Array.isArray(list) || !list.every(isObject)) throw manifestInvalid(`${name} is no list of objects`);
  return list;
}

/** Types of layers and configurations. BuildKit stores its cache as an index that names these in place of manifests. */
const blobTypePattern = /layer|rootfs|cacheconfig|\.config\.|container\.image\.v1/i;

function namesBlob({ mediaType }: Json): boolean {
  return typeof mediaType === "string" && blobTypePattern.test(mediaType);
}

/** Layers that clients fetch from where they come from, and registries do not have. */
function isElsewhere({ urls }: Json): boolean {
  return Array.isArray(urls) && urls.length > 0;
}

function hexIn({ digest }: Json): string {
  const hex = typeof digest === "string" ? hexOf(digest) : undefined;
  const shown = typeof digest === "string" ? digest.slice(0, shownMax) : typeof digest;
  if (hex === undefined) throw manifestInvalid(`${shown} is no digest that is known here`);
  return hex;
}

/** A size that no layer can have counts as none. */
function bytesIn(size: unknown): number {
  return typeof size === "number" && Number.isInteger(size) && size > 0 && size <= layerBytesMax ? size : 0;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
