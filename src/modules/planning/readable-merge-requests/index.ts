import { defineModule } from "../../kernel/module.ts";
import { ReadableMergeRequests } from "./service.ts";

export { canSeeMergeRequestsOf } from "./policy.ts";
export { ReadableMergeRequests } from "./service.ts";
export {
  countAuthoredMergeRequests,
  countOpenMergeRequests,
  countWaitingMergeRequests,
} from "./service-counts.ts";

export const readableMergeRequestsModule = defineModule({
  name: "readable-merge-requests",
  services: [ReadableMergeRequests],
});
