import type { Samples } from "../../kernel/sample.ts";

export const groupProjectSamples: Samples = {
  "POST /groups/:id/projects/:project_id": {
    make: async ({ call }) => ({ path: { project_id: (await call("POST /projects")).get("id") } }),
    status: ({ isAdministrator }) => (isAdministrator ? undefined : 403),
  },
};
