import type { Samples } from "../../kernel/sample.ts";

export const outboxSamples: Samples = {
  "POST /-/outbox/:id/resend": { unsuited: "sends a mail" },
};
