import { Type } from "@sinclair/typebox";
import { accessLevels } from "../../../../domain/access-level.ts";
import { projectId, text } from "../../../../domain/parameters.ts";
import { inProject } from "../../../core/access/index.ts";
import { file, ok, operation } from "../../../kernel/operation.ts";
import { Blob } from "./schema.ts";
import { getBlobJson, getRawBlob } from "./service.ts";

const whoeverReads = inProject(accessLevels.none, { anonymous: true });
const BlobInPath = Type.Object({
  id: projectId(),
  sha: text({ description: "id of the blob; its beginning is enough" }),
});

export const blobOperations = [
  operation({
    method: "GET",
    path: "/projects/:id/repository/blobs/:sha",
    summary: "Get a blob of a repository",
    who: whoeverReads,
    params: BlobInPath,
    answer: ok(Blob),
    failures: ["forbidden", "too_large"],
    handle: ({ context, caller, project, params }) => getBlobJson(context, caller, project, params.sha),
  }),

  operation({
    method: "GET",
    path: "/projects/:id/repository/blobs/:sha/raw",
    summary: "Get the bytes of a blob of a repository",
    who: whoeverReads,
    params: BlobInPath,
    answer: file({ maxAgeS: 0 }),
    failures: ["forbidden", "too_large"],
    handle: ({ context, caller, project, params }) => getRawBlob(context, caller, project, params.sha),
  }),
];
