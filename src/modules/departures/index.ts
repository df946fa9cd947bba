export { type CarriedType, departures } from "./collection.ts";
export { carriersOf, depart, departureWork, presentIds, withoutLabel, withoutMilestone } from "./service.ts";
