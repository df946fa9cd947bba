import { Type } from "@sinclair/typebox";
import { integer, optional, text } from "../../../../domain/parameters.ts";
import {
  accepted,
  created,
  type FileContent,
  file,
  type Operation,
  ok,
  oneOfResponses,
  operation,
} from "../../../kernel/operation.ts";
import type { RawBody } from "../../../kernel/raw-request.ts";
import { digestOf, hexOf, readDigest } from "../digests.ts";
import { servedType } from "../manifest-shape.ts";
import { findRepository, getRepositoryByPath, getRepositoryPath, pullLevel, pushLevel } from "../policy.ts";
import { deleteBlob, getBlob } from "../service-blobs.ts";
import { createManifest, deleteReference, getManifest } from "../service-manifests.ts";
import { indexType, listReferrers } from "../service-referrers.ts";
import { listTagNames } from "../service-tags.ts";
import { contentHeaders, InName, params, pulls, pushes, storedAt } from "./distribution.ts";

const manifestBody: RawBody = { sizeBytesMax: 4 * 1024 ** 2 };

/** The API of images that clients push and pull with (triggers-and-pipelines 6). */
export const distributionOperations: readonly Operation[] = [
  operation({
    ...pulls,
    method: "GET",
    path: "/v2",
    summary: "Check that the registry is available",
    params: params({}),
    answer: ok(Type.Object({})),
    handle: () => ({}),
  }),

  operation({
    ...pulls,
    method: "GET",
    path: "/v2/*name/tags/list",
    summary: "List the tags of a registry repository",
    params: params({
      ...InName,
      n: optional(integer({ minimum: 0, description: "at most; 1000 unless said" })),
      last: optional(text({ description: "the tag after which to begin" })),
    }),
    answer: file({ maxAgeS: 0 }),
    handle({ context, caller, params: { name, n, last }, baseUrl }): FileContent {
      const repository = getRepositoryByPath(context, caller, name, pullLevel);
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
    summary: "Pull a manifest",
    params: params({ ...InName, reference: text() }),
    answer: file({ maxAgeS: 0 }),
    handle({ context, caller, params: { name, reference } }): FileContent {
      const { digest, media_type } = getManifest(context, caller, name, reference);
      const shown = hexOf(reference) === undefined ? digestOf(digest) : reference;
      return {
        contentType: servedType(media_type),
        content: new Uint8Array(context.store.blobs.read(digest)),
        headers: { "Docker-Content-Digest": shown, ETag: `"${shown}"` },
      };
    },
  }),

  operation({
    ...pushes,
    method: "PUT",
    path: "/v2/*name/manifests/:reference",
    summary: "Push a manifest",
    params: params({ ...InName, reference: text() }),
    body: manifestBody,
    answer: oneOfResponses({
      answer: created(Type.Object({})),
      headers: { ...contentHeaders, "OCI-Subject": "digest of what it says something of, if it does" },
    }),
    failures: ["invalid"],
    async handle({ context, caller, params: { name, reference }, raw, baseUrl }) {
      const place = getRepositoryPath(context, caller, name, pushLevel);
      const pushed = { reference, mediaType: raw.mediaType, bytes: await raw.bytes() };
      const { digest, subject } = await createManifest(context, caller, place, pushed);
      const ofSubject = subject === undefined ? {} : { "OCI-Subject": subject };
      return storedAt(name, "manifests", digest, baseUrl, ofSubject);
    },
  }),

  operation({
    ...pushes,
    method: "DELETE",
    path: "/v2/*name/manifests/:reference",
    summary: "Delete a manifest or a tag",
    params: params({ ...InName, reference: text() }),
    answer: accepted(),
    handle({ context, caller, params: { name, reference } }) {
      return deleteReference(context, caller, name, reference);
    },
  }),

  operation({
    ...pulls,
    method: "GET",
    path: "/v2/*name/blobs/:digest",
    summary: "Pull a blob",
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
    method: "DELETE",
    path: "/v2/*name/blobs/:digest",
    summary: "Delete an unreferenced blob",
    params: params({ ...InName, digest: text() }),
    answer: accepted(),
    failures: ["not_allowed"],
    handle({ context, caller, params: { name, digest } }) {
      deleteBlob(context, caller, name, digest);
    },
  }),

  operation({
    ...pulls,
    method: "GET",
    path: "/v2/*name/referrers/:digest",
    summary: "List the referrers of a manifest",
    params: params({
      ...InName,
      digest: text({ description: "of the other one, which need not be there" }),
      artifactType: optional(text({ description: "only those of this type" })),
      last: optional(integer({ description: "where the page before ended" })),
    }),
    answer: file({ maxAgeS: 0 }),
    failures: ["invalid"],
    handle({ context, caller, params: { name, digest, artifactType, last }, baseUrl }): FileContent {
      const place = getRepositoryPath(context, caller, name, pullLevel);
      const { manifests, next } = listReferrers(context.store, findRepository(context, place), {
        subject: digestOf(readDigest(digest)),
        artifactType,
        last,
      });
      const filter = artifactType === undefined ? "" : `artifactType=${encodeURIComponent(artifactType)}&`;
      const url = `${baseUrl}/v2/${name}/referrers/${digest}?${filter}last=${next}`;
      return {
        contentType: indexType,
        content: JSON.stringify({ schemaVersion: 2, mediaType: indexType, manifests }),
        headers: {
          ...(artifactType === undefined ? {} : { "OCI-Filters-Applied": "artifactType" }),
          ...(next === undefined ? {} : { Link: `<${url}>; rel="next"` }),
        },
      };
    },
  }),
];
