import type { Samples } from "../../kernel/sample.ts";

export const apiReferenceSamples: Samples = {
  "GET /-/api/:file": async ({ call }) => ({
    address: /\/-\/api\/page-\w+\.js/.exec((await call("GET /-/api")).text)?.[0] ?? "/-/api/none",
  }),
};
