import { fromReporters, type Samples } from "../../kernel/sample.ts";

export const commitSamples: Samples = {
  "GET /projects/:id/repository/commits/:sha": {
    path: { sha: "main" },
    async make({ call }) {
      await call("GET /projects/:id/repository/commits");
      return {};
    },
    status: fromReporters,
  },
};
