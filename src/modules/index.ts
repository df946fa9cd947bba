export { areas, operations } from "./areas.ts";
export { collections } from "./collections.ts";
export { epicListeners, issueListeners, noteListeners, onPush, projectFacts } from "./listeners.ts";
export { groupRemovals, memberDepartures, projectRemovals, userRemovals } from "./removals.ts";
export { jobKinds, periodicWork } from "./work.ts";
