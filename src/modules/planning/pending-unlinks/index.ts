import { defineModule } from "../../kernel/module.ts";
import { pendingUnlinks } from "./records.ts";
import { unlinkJob } from "./service.ts";

export {
  carriedIds,
  carriersOf,
  deletedIds,
  mergedInto,
  remainingIds,
  unlinkEverywhere,
  unlinkJob,
  withoutLabel,
  withoutMilestone,
} from "./service.ts";

export const pendingUnlinksModule = defineModule({
  name: "pending-unlinks",
  collections: [pendingUnlinks],
  jobs: [unlinkJob],
});
