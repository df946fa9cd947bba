import type { Samples } from "../../kernel/sample.ts";

export const userStatusSamples: Samples = {
  "PUT /user/status": { json: { emoji: "tea", message: "A break" } },
  "PATCH /user/status": { json: { emoji: "coffee" } },
};
