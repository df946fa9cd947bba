import { Type } from "@sinclair/typebox";
import { optional, text } from "../../../../domain/parameters.ts";
import { accepted, created, noContent, type Operation, oneOfResponses, operation } from "../../../kernel/operation.ts";
import type { RawBody, RawRequest } from "../../../kernel/raw-request.ts";
import { digestOf, readDigest } from "../digests.ts";
import { getRepositoryPath, pushLevel } from "../policy.ts";
import { appendPiece, finishUpload, mountBlob, ownerOf, type Piece, uploadHeaders } from "../service-blobs.ts";
import { contentHeaders, InName, params, pushes, stored, storedAt } from "./distribution.ts";
import { BlobUploads } from "./uploads.ts";

const blobBody: RawBody = { sizeBytesMax: 20 * 1024 ** 3 };
const InUpload = { ...InName, uuid: text({ description: "of the upload" }) };
const uploadPath = "/v2/*name/blobs/uploads";
const progressHeaders = {
  Location: "where the upload goes on",
  Range: "the bytes that came",
  "Docker-Upload-UUID": "of the upload",
};
const underWay = { answer: accepted(), headers: progressHeaders };

function pieceOf(raw: RawRequest): Piece {
  return { stream: raw.stream(), range: raw.header("content-range"), length: raw.header("content-length") };
}

/** Pushes of blobs: whole, in pieces, or from another repository. */
export const uploadOperations: readonly Operation[] = [
  operation({
    ...pushes,
    method: "POST",
    path: uploadPath,
    summary: "Start a blob upload, upload a blob, or mount one",
    params: params({
      ...InName,
      digest: optional(text({ description: "of the body, which is the whole blob" })),
      mount: optional(text({ description: "digest of the blob to mount" })),
      from: optional(text({ description: "repository that has it" })),
    }),
    body: blobBody,
    answer: oneOfResponses(
      { answer: accepted(), headers: progressHeaders },
      { answer: created(Type.Object({})), headers: contentHeaders },
    ),
    failures: ["invalid", "too_many", "no_room"],
    async handle({ context, caller, params: { name, digest, mount, from }, raw, baseUrl }) {
      const place = getRepositoryPath(context, caller, name, pushLevel);
      if (mount !== undefined && from !== undefined && mountBlob(context, caller, place, { mount, from })) {
        return storedAt(name, "blobs", mount, baseUrl);
      }
      if (digest !== undefined) readDigest(digest);
      const uploads = context.get(BlobUploads);
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
    summary: "Get the status of a blob upload",
    params: params(InUpload),
    answer: oneOfResponses({ answer: noContent(), headers: progressHeaders }),
    handle({ context, caller, params: { name, uuid }, baseUrl }) {
      const place = getRepositoryPath(context, caller, name, pushLevel);
      const size = context.get(BlobUploads).sizeOf(uuid, ownerOf(caller, place));
      return { kind: "nothing", headers: uploadHeaders(place, uuid, size, baseUrl) };
    },
  }),

  operation({
    ...pushes,
    method: "PATCH",
    path: `${uploadPath}/:uuid`,
    summary: "Upload a chunk of a blob",
    params: params(InUpload),
    body: blobBody,
    answer: oneOfResponses(underWay),
    failures: ["invalid", "range", "no_room"],
    async handle({ context, caller, params: { name, uuid }, raw, baseUrl }) {
      const place = getRepositoryPath(context, caller, name, pushLevel);
      const size = await context.get(BlobUploads).workOn(uuid, ownerOf(caller, place), async (upload) => {
        const headers = uploadHeaders(place, uuid, upload.size, baseUrl);
        await appendPiece(upload, pieceOf(raw), headers);
        return upload.size;
      });
      return { kind: "accepted", headers: uploadHeaders(place, uuid, size, baseUrl) };
    },
  }),

  operation({
    ...pushes,
    method: "PUT",
    path: `${uploadPath}/:uuid`,
    summary: "Complete a blob upload",
    params: params({ ...InUpload, digest: optional(text({ description: "of the whole blob" })) }),
    body: blobBody,
    answer: stored,
    failures: ["invalid", "range", "no_room"],
    async handle({ context, caller, params: { name, uuid, digest }, raw, baseUrl }) {
      const place = getRepositoryPath(context, caller, name, pushLevel);
      const whole = digestOf(readDigest(digest));
      await context.get(BlobUploads).workOn(uuid, ownerOf(caller, place), async (upload) => {
        const headers = uploadHeaders(place, uuid, upload.size, baseUrl);
        await appendPiece(upload, pieceOf(raw), headers);
        await finishUpload(context, caller, place, upload, whole);
      });
      return storedAt(name, "blobs", whole, baseUrl);
    },
  }),

  operation({
    ...pushes,
    method: "DELETE",
    path: `${uploadPath}/:uuid`,
    summary: "Cancel a blob upload",
    params: params(InUpload),
    answer: noContent(),
    failures: ["invalid"],
    handle({ context, caller, params: { name, uuid } }) {
      const place = getRepositoryPath(context, caller, name, pushLevel);
      context.get(BlobUploads).cancel(uuid, ownerOf(caller, place));
    },
  }),
];
