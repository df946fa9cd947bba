export { departures } from "./records.ts";
export {
  carriedIds,
  carriersOf,
  deletedIds,
  depart,
  departureWork,
  mergedInto,
  presentIds,
  withoutLabel,
  withoutMilestone,
} from "./service.ts";
