import type { Samples } from "../../kernel/sample.ts";

export const clockSamples: Samples = {
  "PUT /-/sandbox/clock": { json: { frozen: false }, unsuited: "changes the time of others" },
};
