export { type CarriedType, departures } from "./collection.ts";
export { carriedIds, depart, departureWork, presentIds, withoutLabel, withoutMilestone } from "./service.ts";
