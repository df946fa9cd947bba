import { type TProperties, Type } from "@sinclair/typebox";
import { integer, optional, text } from "../../domain/parameters.ts";
import {
  type Answer,
  accepted,
  created,
  endsIn,
  type FileContent,
  file,
  nothing,
  type Operation,
  ok,
  operation,
} from "../operation.ts";
import type { RawBody, RawRequest } from "../raw-request.ts";
import { placeAt, pullLevel, pushLevel, repositoryAt } from "./access.ts";
import { appendPiece, finishUpload, getBlob, mountBlob, ownerOf, type Piece, uploadHeaders } from "./blobs.ts";
import { digestOf, readDigest } from "./digests.ts";
import { distribution } from "./failures.ts";
import { servedType } from "./manifest-shape.ts";
import { deleteReference, getManifest, putManifest } from "./manifests.ts";
import { listTagNames } from "./tags.ts";

const blobBody: RawBody = { sizeBytesMax: 20 * 1024 ** 3 };
const manifestBody: RawBody = { sizeBytesMax: 4 * 1024 ** 2 };

/** What all of them have: Basic with an access or job token as password, and the errors of the specification. */
const common = {
  root: true,
  who: "signed_in",
  basicRealm: "outpost",
  takesJobToken: "container_registry",
  dialect: distribution,
} as const;
const pulls = { ...common, scopes: ["read_registry", "write_registry"] } as const;
const pushes = { ...common, scopes: ["write_registry"] } as const;

const InName = { name: text({ description: "full path of the project, and what the repository is called below it" }) };
const InUpload = { ...InName, uuid: text({ description: "of the upload" }) };
const uploadPath = "/v2/*name/blobs/uploads";

const contentHeaders = { Location: "where it is fetched from", "Docker-Content-Digest": "its digest" };
const progressHeaders = {
  Location: "where the upload goes on",
  Range: "the bytes that came",
  "Docker-Upload-UUID": "of the upload",
};
const stored: Answer = endsIn({ answer: created(Type.Object({})), headers: contentHeaders });
const underWay = { answer: accepted(), headers: progressHeaders };

function pieceOf(raw: RawRequest): Piece {
  return { stream: raw.stream(), range: raw.header("content-range"), length: raw.header("content-length") };
}

function storedAt(path: string, kind: "blobs" | "manifests", digest: string, baseUrl: string) {
  const headers = { Location: `${baseUrl}/v2/${path}/${kind}/${digest}`, "Docker-Content-Digest": digest };
  return { kind: "created", body: {}, headers } as const;
}

const params = <P extends TProperties>(properties: P) => Type.Object(properties);

/** The API of images that clients push and pull with (triggers-and-pipelines 6). */
export const distributionOperations: readonly Operation[] = [
  operation({
    ...pulls,
    method: "GET",
    path: "/v2",
    summary: "Tell image clients that there is a registry",
    params: params({}),
    answer: ok(Type.Object({})),
    handle: () => ({}),
  }),

  operation({
    ...pulls,
    method: "GET",
    path: "/v2/*name/tags/list",
    summary: "List the tags of an image repository",
    params: params({
      ...InName,
      n: optional(integer({ minimum: 0, description: "at most; 1000 unless said" })),
      last: optional(text({ description: "the tag after which to begin" })),
    }),
    answer: file({ maxAgeS: 0 }),
    handle({ context, caller, params: { name, n, last }, baseUrl }): FileContent {
      const repository = repositoryAt(context, caller, name, pullLevel);
      const { names, hasNext } = listTagNames(context.store, repository, { limit: n, last });
      const next = `${baseUrl}/v2/${name}/tags/list?n=${names.length}&last=${encodeURIComponent(names.at(-1) ?? "")}`;
      return {
        contentType: "application/json",
        content: JSON.stringify({ name, tags: names }),
        headers: hasNext && names.length > 0 ? { Link: `<${next}>; rel="next"` } : {},
      };
    },
  }),

  operation({
    ...pulls,
    method: "GET",
    path: "/v2/*name/manifests/:reference",
    summary: "Pull a manifest by its tag or digest",
    params: params({ ...InName, reference: text() }),
    answer: file({ maxAgeS: 0 }),
    handle({ context, caller, params: { name, reference } }): FileContent {
      const { digest, media_type } = getManifest(context, caller, name, reference);
      return {
        contentType: servedType(media_type),
        content: new Uint8Array(context.store.blobs.read(digest)),
        headers: { "Docker-Content-Digest": digestOf(digest), ETag: `"${digestOf(digest)}"` },
      };
    },
  }),

  operation({
    ...pushes,
    method: "PUT",
    path: "/v2/*name/manifests/:reference",
    summary: "Push a manifest under a tag, or by its digest",
    params: params({ ...InName, reference: text() }),
    body: manifestBody,
    answer: stored,
    failures: ["invalid"],
    async handle({ context, caller, params: { name, reference }, raw, baseUrl }) {
      const place = placeAt(context, caller, name, pushLevel);
      const pushed = { reference, mediaType: raw.mediaType, bytes: await raw.bytes() };
      return storedAt(name, "manifests", await putManifest(context, caller, place, pushed), baseUrl);
    },
  }),

  operation({
    ...pushes,
    method: "DELETE",
    path: "/v2/*name/manifests/:reference",
    summary: "Delete a manifest by its digest, or a tag",
    params: params({ ...InName, reference: text() }),
    answer: accepted(),
    handle({ context, caller, params: { name, reference } }) {
      deleteReference(context, caller, name, reference);
    },
  }),

  operation({
    ...pulls,
    method: "GET",
    path: "/v2/*name/blobs/:digest",
    summary: "Pull a layer or configuration",
    params: params({ ...InName, digest: text() }),
    answer: file({ maxAgeS: 0, hasRanges: true }),
    handle({ context, caller, params: { name, digest } }): FileContent {
      const blob = getBlob(context, caller, name, digest);
      return {
        contentType: "application/octet-stream",
        content: Bun.file(context.store.blobs.pathOf(blob.digest)),
        headers: { "Docker-Content-Digest": digest, ETag: `"${digest}"` },
      };
    },
  }),

  operation({
    ...pushes,
    method: "POST",
    path: uploadPath,
    summary: "Begin to push a blob, push it whole, or mount one of another repository",
    params: params({
      ...InName,
      digest: optional(text({ description: "of the body, which is the whole blob" })),
      mount: optional(text({ description: "digest of the blob to mount" })),
      from: optional(text({ description: "repository that has it" })),
    }),
    body: blobBody,
    answer: endsIn(
      { answer: accepted(), headers: progressHeaders },
      { answer: created(Type.Object({})), headers: contentHeaders },
    ),
    failures: ["invalid", "too_many"],
    async handle({ context, caller, params: { name, digest, mount, from }, raw, baseUrl }) {
      const place = placeAt(context, caller, name, pushLevel);
      if (mount !== undefined && from !== undefined && mountBlob(context, caller, place, { mount, from })) {
        return storedAt(name, "blobs", mount, baseUrl);
      }
      if (digest !== undefined) readDigest(digest);
      const uploads = context.blobUploads;
      const owner = ownerOf(caller, place);
      const id = uploads.begin(owner);
      if (digest === undefined) return { kind: "accepted", headers: uploadHeaders(place, id, 0, baseUrl) };
      try {
        await uploads.workOn(id, owner, async (upload) => {
          await upload.append(raw.stream());
          await finishUpload(context, caller, place, upload, digest);
        });
      } finally {
        uploads.forget(id);
      }
      return storedAt(name, "blobs", digest, baseUrl);
    },
  }),

  operation({
    ...pushes,
    method: "GET",
    path: `${uploadPath}/:uuid`,
    summary: "Ask how far the push of a blob has come",
    params: params(InUpload),
    answer: endsIn({ answer: nothing(), headers: progressHeaders }),
    handle({ context, caller, params: { name, uuid }, baseUrl }) {
      const place = placeAt(context, caller, name, pushLevel);
      const size = context.blobUploads.sizeOf(uuid, ownerOf(caller, place));
      return { kind: "nothing", headers: uploadHeaders(place, uuid, size, baseUrl) };
    },
  }),

  operation({
    ...pushes,
    method: "PATCH",
    path: `${uploadPath}/:uuid`,
    summary: "Push a piece of a blob",
    params: params(InUpload),
    body: blobBody,
    answer: endsIn(underWay),
    failures: ["invalid", "range"],
    async handle({ context, caller, params: { name, uuid }, raw, baseUrl }) {
      const place = placeAt(context, caller, name, pushLevel);
      const size = await context.blobUploads.workOn(uuid, ownerOf(caller, place), async (upload) => {
        await appendPiece(upload, pieceOf(raw), uploadHeaders(place, uuid, upload.size, baseUrl));
        return upload.size;
      });
      return { kind: "accepted", headers: uploadHeaders(place, uuid, size, baseUrl) };
    },
  }),

  operation({
    ...pushes,
    method: "PUT",
    path: `${uploadPath}/:uuid`,
    summary: "End the push of a blob, with its last piece or without",
    params: params({ ...InUpload, digest: optional(text({ description: "of the whole blob" })) }),
    body: blobBody,
    answer: stored,
    failures: ["invalid", "range"],
    async handle({ context, caller, params: { name, uuid, digest }, raw, baseUrl }) {
      const place = placeAt(context, caller, name, pushLevel);
      const whole = digestOf(readDigest(digest));
      await context.blobUploads.workOn(uuid, ownerOf(caller, place), async (upload) => {
        await appendPiece(upload, pieceOf(raw), uploadHeaders(place, uuid, upload.size, baseUrl));
        await finishUpload(context, caller, place, upload, whole);
      });
      return storedAt(name, "blobs", whole, baseUrl);
    },
  }),

  operation({
    ...pushes,
    method: "DELETE",
    path: `${uploadPath}/:uuid`,
    summary: "Cancel the push of a blob",
    params: params(InUpload),
    answer: nothing(),
    failures: ["invalid"],
    handle({ context, caller, params: { name, uuid } }) {
      const place = placeAt(context, caller, name, pushLevel);
      context.blobUploads.cancel(uuid, ownerOf(caller, place));
    },
  }),
];
