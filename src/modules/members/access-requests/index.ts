import { defineModule } from "../../kernel/module.ts";
import { accessRequests } from "./records.ts";

export const accessRequestsModule = defineModule({
  name: "access-requests",
  tag: "Access requests",
  about: { "Access requests": "Requests of users to become members." },
  areas: ["groups", "projects"],
  operations: async () => (await import("./operations.ts")).accessRequestOperations,
  samples: async () => (await import("./samples.ts")).accessRequestSamples,
  collections: [accessRequests],
});
