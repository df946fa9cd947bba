import type { Samples } from "../../kernel/sample.ts";

export const consoleSamples: Samples = {
  "GET /-/console/events": { query: { seconds: 0 } },
  "GET /-/console/*page": { path: { page: "people/1" } },
  "GET /-/console/assets/:file": async ({ call }) => ({
    address:
      /\/-\/console\/assets\/main-\w+\.js/.exec((await call("GET /-/console")).text)?.[0] ?? "/-/console/assets/none",
  }),
};
