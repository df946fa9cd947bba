import { defineModule } from "../../kernel/module.ts";
import { RecentRequests } from "./ring.ts";

export { presentRecentRequest } from "./present.ts";
export { parameterNamesOf, RecentRequests, type RequestEntry, RequestRing, requestsMax } from "./ring.ts";
export { RecentRequest } from "./schema.ts";

export const recentRequestsModule = defineModule({
  name: "recent-requests",
  tag: "Monitoring",
  areas: ["-/requests"],
  operations: async () => (await import("./operations.ts")).recentRequestOperations,
  samples: async () => (await import("./samples.ts")).recentRequestSamples,
  services: [RecentRequests],
});
