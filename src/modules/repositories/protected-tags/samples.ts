import type { Samples } from "../../kernel/sample.ts";

export const protectedTagSamples: Samples = {
  "POST /projects/:id/protected_tags": ({ fresh }) => ({ json: { name: fresh() } }),
};
