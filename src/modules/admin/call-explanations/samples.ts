import type { Samples } from "../../kernel/sample.ts";

export const callExplanationSamples: Samples = {
  "GET /-/explanation": { query: { method: "GET", path: "/version" } },
};
