import type { Samples } from "../../kernel/sample.ts";

export const jobTokenScopeSamples: Samples = {
  "PATCH /projects/:id/job_token_scope": { json: { enabled: true } },
  "POST /projects/:id/job_token_scope/allowlist": async ({ add }) => ({
    json: { target_project_id: await add("projects") },
  }),
  "POST /projects/:id/job_token_scope/groups_allowlist": async ({ add }) => ({
    json: { target_group_id: await add("groups") },
  }),
};
