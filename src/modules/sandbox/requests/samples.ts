import type { Samples } from "../../kernel/sample.ts";

export const sandboxRequestSamples: Samples = {
  "DELETE /-/sandbox/requests": { unsuited: "forgets the requests of others" },
};
