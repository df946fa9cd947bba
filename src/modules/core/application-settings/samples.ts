import type { Samples } from "../../kernel/sample.ts";

export const applicationSettingsSamples: Samples = {
  "PUT /application/settings": { json: { signup_enabled: true }, unsuited: "changes a setting of the whole instance" },
};
