import type { Samples } from "../../kernel/sample.ts";

const needsFailure = { unsuited: "no call makes a job that fails" };

export const backgroundJobSamples: Samples = {
  "POST /-/jobs/:id/retry": needsFailure,
  "DELETE /-/jobs/:id": needsFailure,
};
