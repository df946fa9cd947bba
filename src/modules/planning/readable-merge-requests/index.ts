import { defineModule } from "../../kernel/module.ts";
import { ReadableMergeRequests } from "./service.ts";

export { canSeeMergeRequestsOf } from "./policy.ts";
export { ReadableMergeRequests } from "./service.ts";

export const readableMergeRequestsModule = defineModule({
  name: "readable-merge-requests",
  services: [ReadableMergeRequests],
});
