export { jobKinds, periodicWork } from "./tables/background-jobs.ts";
export { collections } from "./tables/collections.ts";
export { epicListeners, issueListeners, noteListeners, onPush, projectFacts } from "./tables/listeners.ts";
export { groupRemovals, memberDepartures, projectRemovals, userRemovals } from "./tables/removals.ts";
export { areas, operations } from "./tables/tags.ts";
