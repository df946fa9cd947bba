import type { Samples } from "../../kernel/sample.ts";

const ofInstance = { unsuited: "changes a flag of the whole instance, whose name cannot be chosen" };

export const featureFlagSamples: Samples = {
  "GET /-/features/:name": { path: { name: "of_the_samples" } },
  "POST /features/:name": ({ fresh }) => ({ path: { name: fresh() }, json: { value: true, force: true } }),
  "POST /features/definitions": { json: { value: true }, ...ofInstance },
  "DELETE /features/definitions": { after: ["POST /features/definitions"], ...ofInstance },
};
