import { defineModule } from "../../kernel/module.ts";
import { departures } from "./records.ts";
import { unlinkJob } from "./service.ts";

export { departures } from "./records.ts";
export {
  carriedIds,
  carriersOf,
  deletedIds,
  depart,
  mergedInto,
  presentIds,
  unlinkJob,
  withoutLabel,
  withoutMilestone,
} from "./service.ts";

export const pendingUnlinksModule = defineModule({
  name: "pending-unlinks",
  collections: [departures],
  jobs: [unlinkJob],
});
