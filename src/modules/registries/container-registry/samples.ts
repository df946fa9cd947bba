import { fromReporters, type Samples } from "../../kernel/sample.ts";

const image = { unsuited: "needs an image that a client pushes" };
const repository = "/projects/:id/registry/repositories/:repository_id";
const v2 = "/v2/*name";

export const containerRegistrySamples: Samples = {
  "GET /projects/:id/registry/repositories": { status: fromReporters },
  "GET /registry/repositories/:repository_id": image,
  [`DELETE ${repository}`]: image,
  [`GET ${repository}/tags`]: { ...image, status: fromReporters },
  [`DELETE ${repository}/tags`]: image,
  [`GET ${repository}/tags/:tag_name`]: { ...image, status: fromReporters },
  [`DELETE ${repository}/tags/:tag_name`]: image,
  [`GET ${v2}/tags/list`]: image,
  [`GET ${v2}/manifests/:reference`]: image,
  [`PUT ${v2}/manifests/:reference`]: image,
  [`DELETE ${v2}/manifests/:reference`]: image,
  [`GET ${v2}/blobs/:digest`]: image,
  [`DELETE ${v2}/blobs/:digest`]: image,
  [`GET ${v2}/referrers/:digest`]: image,
  [`POST ${v2}/blobs/uploads`]: image,
  [`GET ${v2}/blobs/uploads/:uuid`]: image,
  [`PATCH ${v2}/blobs/uploads/:uuid`]: image,
  [`PUT ${v2}/blobs/uploads/:uuid`]: image,
  [`DELETE ${v2}/blobs/uploads/:uuid`]: image,
};
