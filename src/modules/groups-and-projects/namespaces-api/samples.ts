import type { Samples } from "../../kernel/sample.ts";

export const namespaceSamples: Samples = {
  "GET /namespaces/:id": ({ caller }) => ({ path: { id: caller.username } }),
  "GET /namespaces/:path/exists": ({ caller }) => ({ path: { path: caller.username } }),
};
