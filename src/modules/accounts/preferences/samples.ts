import type { Samples } from "../../kernel/sample.ts";

export const preferenceSamples: Samples = {
  "PUT /user/preferences": { json: { show_whitespace_in_diffs: false } },
};
