import type { Samples } from "../../kernel/sample.ts";

export const associationSamples: Samples = {
  "GET /users/:id/associations_count": ({ caller: { id } }) => ({ path: { id } }),
};
