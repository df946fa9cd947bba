import { fromReporters, type Samples } from "../../kernel/sample.ts";

export const commitSamples: Samples = {
  "POST /projects/:id/repository/commits": ({ fresh }) => ({
    json: {
      branch: "main",
      commit_message: "Add a chapter",
      actions: [{ action: "create", file_path: `chapters/${fresh()}.md`, content: "# Chapter\n" }],
    },
  }),
  "GET /projects/:id/repository/commits/:sha": {
    path: { sha: "main" },
    async make({ call }) {
      await call("GET /projects/:id/repository/commits");
      return {};
    },
    status: fromReporters,
  },
};
