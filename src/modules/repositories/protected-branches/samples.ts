import { fromReporters, type Samples } from "../../kernel/sample.ts";

export const protectedBranchSamples: Samples = {
  "GET /projects/:id/protected_branches": { status: fromReporters },
  "GET /projects/:id/protected_branches/:name": { status: fromReporters },
  "POST /projects/:id/protected_branches": ({ fresh }) => ({ json: { name: fresh() } }),
  "PATCH /projects/:id/protected_branches/:name": { json: { allow_force_push: true } },
};
