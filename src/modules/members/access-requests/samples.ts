import type { Sample, Samples } from "../../kernel/sample.ts";

const create: Sample = {
  isOnNew: true,
  status: ({ level, isAdministrator }) => (level > 0 && !isAdministrator ? 403 : undefined),
};
const needsRequest: Sample = { unsuited: "needs a request of a user who is no member, and so sees no private place" };

export const accessRequestSamples: Samples = {
  "POST /groups/:id/access_requests": create,
  "POST /projects/:id/access_requests": create,
  "PUT /groups/:id/access_requests/:user_id/approve": needsRequest,
  "PUT /projects/:id/access_requests/:user_id/approve": needsRequest,
  "DELETE /groups/:id/access_requests/:user_id": needsRequest,
  "DELETE /projects/:id/access_requests/:user_id": needsRequest,
};
