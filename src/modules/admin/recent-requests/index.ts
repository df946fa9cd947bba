import { defineModule } from "../../kernel/module.ts";
import { recentRequestOperations } from "./operations.ts";
import { RecentRequests } from "./service.ts";

export { RecentRequests } from "./service.ts";

export const recentRequestsModule = defineModule({
  name: "recent-requests",
  tag: "Monitoring",
  operations: recentRequestOperations,
  services: [RecentRequests],
});
