import type { Samples } from "../../kernel/sample.ts";

export const dataSamples: Samples = {
  "GET /-/data/:collection": { path: { collection: "users" } },
  "GET /-/data/:collection/:id": ({ user: { id } }) => ({ path: { collection: "users", id } }),
};
