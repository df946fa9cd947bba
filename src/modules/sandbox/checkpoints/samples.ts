import type { Samples } from "../../kernel/sample.ts";

export const checkpointSamples: Samples = {
  "PUT /-/sandbox/checkpoints/:name": ({ fresh }) => ({ path: { name: fresh() } }),
  "POST /-/sandbox/checkpoints/:name/restore": { unsuited: "undoes what others did meanwhile" },
  "POST /-/sandbox/reset": { unsuited: "undoes what others did" },
};
