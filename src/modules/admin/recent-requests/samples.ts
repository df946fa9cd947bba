import type { Samples } from "../../kernel/sample.ts";

export const recentRequestSamples: Samples = {
  "GET /-/requests/:id": async ({ call }) => ({ path: { id: (await call("GET /-/requests")).get("0.id") } }),
};
