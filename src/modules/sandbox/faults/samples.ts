import type { Samples } from "../../kernel/sample.ts";

export const faultSamples: Samples = {
  "POST /-/sandbox/faults": ({ fresh }) => ({
    json: { match: { route: "/version", header: `X-Sample: ${fresh()}` }, effect: { code: 502 } },
  }),
  "DELETE /-/sandbox/faults": { unsuited: "deletes the rules of others" },
};
